import { advance, comparePositions, type TextPosition, type TextRange } from './textRange';

/** Cell of a record in a document. */
export interface DocumentCell {
  /** Position in its record, from 0. */
  readonly index: number;
  /** Name of its column, trimmed and in lower case; null if the header names fewer columns. */
  readonly column: string | null;
  /** Text without the quotes around it, and with each doubled quote as one. */
  readonly text: string;
  /** Place with the quotes around it. It spans lines only if the cell is quoted. */
  readonly range: TextRange;
  readonly isQuoted: boolean;
}

/** Returns the place of a part of a cell's text; the offsets count UTF-16 code units of `text`. */
export function rangeInCell(cell: DocumentCell, from: number, to: number): TextRange {
  return { start: positionInCell(cell, from), end: positionInCell(cell, to) };
}

function positionInCell({ text, range, isQuoted }: DocumentCell, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return advance(range.start, isQuoted ? `"${before.replaceAll('"', '""')}` : before);
}

/** Returns the part of a cell's text that is before a position in its range. */
export function textBefore(cell: DocumentCell, position: TextPosition): string {
  const { text } = cell;
  let least = 0;
  let most = text.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (comparePositions(positionInCell(cell, middle), position) <= 0) least = middle;
    else most = middle - 1;
  }
  return text.slice(0, least);
}
