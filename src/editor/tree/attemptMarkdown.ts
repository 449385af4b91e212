import type { AttemptFact } from '../../app/present/attempt';
import { shorten } from '../../app/present/text';

/** Maximum characters of a line in a tooltip; `history ID` shows all. */
const LINE_WIDTH = 300;

/** Lays out lines and facts as Markdown in which the text of others is only text. */
export function layOutMarkdown(lines: readonly string[], facts: readonly AttemptFact[]): string {
  const escaped = lines.map(escapeMarkdown);
  const known = facts.map(({ name, text }) => `**${escapeMarkdown(name)}**  ${escapeMarkdown(text)}`);
  const parts = [escaped, known].filter((part) => part.length > 0);
  return parts.map((part) => part.join('  \n')).join('\n\n---\n\n');
}

/** Escapes every punctuation mark by a backslash, so that no link, picture or command remains. */
function escapeMarkdown(text: string): string {
  return shorten(text, LINE_WIDTH).replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}
