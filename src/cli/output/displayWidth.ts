import stringWidth from 'string-width';

// Tables are imported by import(): to load this takes 9 ms, and most commands print none.

/**
 * Returns the number of terminal columns of a text: two for each Japanese character and emoji, none for a combining
 * mark.
 */
export function displayWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Pads the text with spaces to this many columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - displayWidth(text), 0));
}

/** Cuts the text with an ellipsis if it takes more columns than this. Never cuts a character in two. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  if (isPlain(text)) return `${text.slice(0, width - 1)}…`;
  let [cut, left] = ['', width - 1];
  for (const { segment } of CHARACTERS.segment(text)) {
    left -= displayWidth(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut}…`;
}

const CHARACTERS = new Intl.Segmenter();

/** Whether each character takes one column; measuring others takes time. Cut texts end with an ellipsis. */
function isPlain(text: string): boolean {
  return /^[\u0020-\u007e\u2026]*$/.test(text);
}
