import type { AttemptFact } from '../../app/present/attempt';
import { shorten } from '../../app/present/text';

/** As much of a line as is read under a mouse; `history ID` has all of it. */
const LINE_WIDTH = 300;

/** Lines and facts as Markdown in which nothing that others wrote is more than text. */
export function layOutMarkdown(lines: readonly string[], facts: readonly AttemptFact[]): string {
  const reported = lines.map(escapeMarkdown);
  const known = facts.map(({ name, text }) => `**${escapeMarkdown(name)}**  ${escapeMarkdown(text)}`);
  const parts = [reported, known].filter((part) => part.length > 0);
  return parts.map((part) => part.join('  \n')).join('\n\n---\n\n');
}

/** Every mark may be written with a backslash before it, and is only itself then: no link, no picture, no command. */
function escapeMarkdown(text: string): string {
  return shorten(text, LINE_WIDTH).replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}
