/**
 * Characters that take no place on a screen, control it or change the writing direction, and lone surrogates.
 * Exceptions: the selector behind a pictograph that gives it its colors, and the joiner between two pictographs.
 */
const INVISIBLE = new RegExp(
  String.raw`(?!(?<=\p{Extended_Pictographic})\ufe0f)(?!(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]`,
  'gu',
);

/**
 * Returns text from outside for a user who must judge it. Invisible characters are written as their codes (`\u001b`),
 * and nothing is left out. Lines stay lines; tabs become spaces.
 */
export function revealInvisible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(INVISIBLE, (character) => (character === '\n' ? character : writeCode(character)));
}

/** As `revealInvisible`, in one line: for a name that could look like several lines of a list. */
export function revealInLine(text: string): string {
  const inLine = text.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`);
  return revealInvisible(inLine);
}

function writeCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
