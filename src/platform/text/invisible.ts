/**
 * What takes no place on a screen, steers it or turns the direction of writing, and a half of a character; but not the
 * mark behind a pictograph that gives it its colours, and what joins two pictographs to one.
 */
const INVISIBLE = new RegExp(
  String.raw`(?!(?<=\p{Extended_Pictographic})\ufe0f)(?!(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]`,
  'gu',
);

/**
 * Text from outside for the user who answers for it: what cannot be seen is written as its code (`\u001b`), and nothing
 * is left out. Lines stay lines; tabs become spaces.
 */
export function revealInvisible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(INVISIBLE, (character) => (character === '\n' ? character : writeCode(character)));
}

function writeCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
