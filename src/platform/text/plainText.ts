/** CSI, OSC, DCS and two-character sequences (ECMA-48). Bounded, so that an unfinished one cannot swallow the rest. */
const ESCAPES = new RegExp(
  [
    String.raw`\u001b\[[0-?]{0,64}[ -/]{0,16}[@-~]`,
    String.raw`\u001b[\]PX^_][^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]{0,4}[0-~]`,
  ].join('|'),
  'g',
);

/** Control characters but for the line feed, and the marks that turn the direction of writing. */
const CONTROLS = new RegExp(
  String.raw`[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]`,
  'g',
);

/** Returns text from outside that may be shown in a terminal: no escapes, no control characters; tabs become spaces. */
export function clean(text: string): string {
  return text.replace(ESCAPES, '').replace(/\t/g, '  ').replace(CONTROLS, '');
}

const LONGEST_DETAIL = 200;

/**
 * Returns the start of a text, of at most this length. It never ends with half of a character: a reader of UTF-8 or of
 * JSON may refuse that.
 */
export function cutText(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}

/** Returns the end of a text in the same way. */
export function cutToEnd(text: string, longest: number): string {
  return text.slice(-longest).replace(/^[\udc00-\udfff]/, '');
}

/** Returns a text; of a longer one, its start of at most this length and a mark that it is cut. */
export function abbreviate(text: string, longest: number): string {
  return text.length > longest ? `${cutText(text, longest)}…` : text;
}

/** Returns the first line of a text that has something in it, cleaned and cut to `longest` characters. */
export function firstLine(text: string, longest = LONGEST_DETAIL): string {
  const line = clean(text)
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '');
  if (line === undefined) return '';
  return line.length > longest ? `${cutText(line, longest - 1)}…` : line;
}

/** Returns a text with a capital letter at its start. */
export function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
