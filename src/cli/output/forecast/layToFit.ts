import { cutToWidth, displayWidth } from '../displayWidth';
import { WIDTH, wrap } from '../report/layNeedsOut';
import { layOut, layOutSection } from '../table';

/** Lays out a table of tasks, by id and title, with an empty line above it; without rows nothing. The cells from `details` on may be long. */
export type LayTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  details: number,
) => readonly string[];

/**
 * Returns lines with tables as one text. In a terminal of `columns` that is too narrow for them, what is long is below its
 * task. Null: no terminal.
 */
export function layToFit(lay: (table: LayTable) => readonly string[], columns: number | null): string {
  const wide = lay(layOutSection);
  const isTooWide = wide.some((line) => displayWidth(line) > (columns ?? Infinity));
  const lines = isTooWide ? lay(layOutNarrowSection).flatMap((line) => wrapLine(line)) : wide;
  return lines.join('\n');
}

const TITLE = 1;
const LEAST_TITLE = 10;

function layOutNarrowSection(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  details: number,
): readonly string[] {
  if (rows.length === 0) return [];
  const [short = [], ...cells] = [head, ...rows].map((row) => row.slice(0, details));
  const withoutTitle = (row: readonly string[]): string[] => row.filter((_, column) => column !== TITLE);
  const used = Math.max(...layOut(withoutTitle(short), cells.map(withoutTitle)).map(displayWidth));
  const room = Math.max(WIDTH - used - 2, LEAST_TITLE);
  const [first = '', ...lines] = layOut(
    short,
    cells.map((row) => row.map((cell, column) => (column === TITLE ? cutToWidth(cell, room) : cell))),
  );
  const below = rows.map((row) => row.slice(details).filter((cell) => cell !== ''));
  return [
    '',
    first,
    ...lines.flatMap((line, index) => [line, ...wrapLine(below[index]?.join(' · ') ?? '', DETAIL_INDENT)]),
  ];
}

const DETAIL_INDENT = 6;

/** Breaks a line that is too long between words. */
function wrapLine(line: string, indent = 0): readonly string[] {
  if (displayWidth(line) + indent <= WIDTH)
    return line === '' && indent > 0 ? [] : [' '.repeat(indent) + line];
  return wrap(line, indent).map((pieces) => pieces.map(({ text }) => text).join(''));
}
