import manifest from '../../package.json';
import english from '../../package.nls.json';

/** Texts of a manifest in one language by their keys, as `package.nls.json` has them. */
export type ManifestTexts = Readonly<Record<string, string>>;

/** Returns a part of a manifest as VS Code shows it: with the text for each `%key%`. @throws where a key has no text */
export function localize<T>(part: T, texts: ManifestTexts): T {
  return JSON.parse(JSON.stringify(part), (_field, value: unknown) =>
    typeof value === 'string' ? localizeText(value, texts) : value,
  ) as T;
}

function localizeText(value: string, texts: ManifestTexts): string {
  const [, key] = /^%(.+)%$/.exec(value) ?? [];
  if (key === undefined) return value;
  const text = texts[key];
  if (text === undefined) throw new Error(`package.nls.json has no text for ${value}.`);
  return text;
}

/** The manifest as VS Code shows it in English. */
export const MANIFEST = localize(manifest, english);
