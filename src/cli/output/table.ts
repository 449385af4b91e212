import { displayWidth, padToWidth } from './displayWidth';
import type { Line, Tone } from './line';

/** Cell of a table; a tone styles it if there are colours. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** Lays out columns of equal width, one line per row. A column without values is left out. */
export function layOut(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return layOutCells(head, rows).map((line) => line.map((piece) => piece.text).join(''));
}

/** Lays out a table like `layOut`, with an empty line above it; without rows nothing. */
export function layOutSection(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', ...layOut(head, rows)];
}

/** Lays out a table like `layOut`, in pieces with styles. */
export function layOutCells(
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
): { readonly text: string; readonly tone?: Tone }[][] {
  const columns = [...head.keys()].filter((column) => rows.some((row) => textOf(row[column]) !== ''));
  const table = [head, ...rows].map((row) => columns.map((column) => row[column] ?? ''));
  const widths = columns.map((_, column) =>
    table.reduce((widest, row) => Math.max(widest, displayWidth(textOf(row[column]))), 0),
  );
  return table.map((row) => {
    const last = row.findLastIndex((cell) => textOf(cell) !== '');
    return row.slice(0, last + 1).map((cell, column) => {
      const text = column === last ? textOf(cell) : `${padToWidth(textOf(cell), widths[column] ?? 0)}  `;
      return typeof cell === 'string' ? { text } : { text, tone: cell.tone };
    });
  });
}

/** Joins lines of pieces into one value that can be printed. */
export function joinLines(
  lines: readonly (readonly { readonly text: string; readonly tone?: Tone }[])[],
): Line {
  return lines.flatMap((pieces, index) => [
    ...(index === 0 ? [] : ['\n']),
    ...pieces.map(({ text, tone }) => (tone === undefined ? text : { text, tone })),
  ]);
}

/** Returns the text of a cell, without its tone; empty for a missing cell. */
export function textOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}
