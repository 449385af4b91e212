import { commandOf } from './commandName';

/** Translations by the English text, as `vscode.l10n.bundle` has them. */
export type Translations = Readonly<Record<string, string>>;

/** A value that a text is filled with. */
type Value = string | number;

/** Places in a text to fill: of values, and of the name of this program before the words of a command. */
const FILLED = /"claude-queue (?=[a-z])|\{(\d+)\}/g;

let translations: Translations = {};

/**
 * Sets the language of all texts from now on. Call it before any module with texts is loaded: constants take theirs then. A
 * text without a translation stays English.
 */
export function setTranslations(texts: Translations): void {
  translations = texts;
}

/**
 * Returns a text in the language of the user, with `{0}`, `{1}` and so on filled in. `text` must be a literal: l10n/ has a
 * translation of each in each language. Commands in it, such as "claude-queue check", name the queue as the user does.
 */
export function t(text: string, ...values: readonly Value[]): string {
  const translated = Object.hasOwn(translations, text) ? (translations[text] ?? text) : text;
  return translated.replace(FILLED, (whole, index?: string) =>
    index === undefined ? `"${commandOf('')}` : String(values[Number(index)] ?? whole),
  );
}
