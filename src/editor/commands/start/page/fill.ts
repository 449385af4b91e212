import { type Html, type HtmlPart, markup } from '../../../pages/html';

/** Returns HTML of a text, with these parts in place of its `{0}`, `{1}` and so on. */
export function fill(text: string, ...parts: readonly HtmlPart[]): Html {
  // The numbers are in every second place.
  const pieces = text.split(/\{(\d+)\}/);
  return markup`${pieces.map((piece, index) => (index % 2 === 0 ? piece : (parts[Number(piece)] ?? null)))}`;
}
