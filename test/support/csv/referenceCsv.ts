import { parse } from 'csv-parse/sync';
import { readCsv } from '../../../src/queue/csv/csvFile';

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Behind the byte order mark of UTF-8. */
function textStart(bytes: Buffer): number {
  return bytes.subarray(0, 3).toString('latin1') === '\u00ef\u00bb\u00bf' ? 3 : 0;
}

/** A cell's bytes, with the quotes around it. */
export interface ReferenceCell {
  readonly start: number;
  readonly end: number;
}

/**
 * The cells of each record, found in the plainest way, one byte after another: what a reader that is made for speed must
 * agree with. Lines of nothing or white space are no records.
 */
export function referenceCells(bytes: Buffer, delimiter: string): readonly (readonly ReferenceCell[])[] {
  const records: ReferenceCell[][] = [];
  let cells: ReferenceCell[] = [];
  for (let start = textStart(bytes); start <= bytes.length;) {
    const end = endOfCell(bytes, start, delimiter.charCodeAt(0));
    cells.push({ start, end });
    if (bytes[end] !== delimiter.charCodeAt(0)) {
      if (cells.length > 1 || !/^[ \t]*$/.test(bytes.toString('latin1', start, end))) records.push(cells);
      cells = [];
    }
    start = end + 1;
  }
  return records;
}

function endOfCell(bytes: Buffer, start: number, delimiter: number): number {
  let at = start;
  if (bytes[at] === QUOTE) {
    for (at += 1; at < bytes.length; at += 1) {
      if (bytes[at] !== QUOTE) continue;
      if (bytes[at + 1] !== QUOTE) break;
      at += 1;
    }
  }
  while (at < bytes.length && bytes[at] !== delimiter && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  return Math.min(at, bytes.length);
}

/** The file's bytes without the cells that `isChanged` names by record (0 is the header) and column. */
export function withoutCells(
  bytes: Buffer,
  delimiter: string,
  isChanged: (record: number, column: number) => boolean,
): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  for (const [record, cells] of referenceCells(bytes, delimiter).entries()) {
    for (const [column, { start, end }] of cells.entries()) {
      if (!isChanged(record, column)) continue;
      parts.push(bytes.subarray(kept, start));
      kept = end;
    }
  }
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}

/** Columns that the program writes. */
const SHARED = ['status', 'scheduled_time', 'retry_count'];

/** The file's bytes around the shared cells of the rows with these ids. */
export function aroundShared(bytes: Buffer, ids: readonly number[]): Buffer {
  const { columns, dialect } = readCsv(bytes);
  const shared = new Set(SHARED.map((name) => columns.get(name)));
  const idAt = columns.get('id') ?? -1;
  const isRow = referenceCells(bytes, dialect.delimiter).map((cells) => {
    const { start = 0, end = 0 } = cells[idAt] ?? {};
    return ids.includes(Number(bytes.toString('utf8', start, end).replaceAll('"', '')));
  });
  return withoutCells(
    bytes,
    dialect.delimiter,
    (record, column) => isRow[record] === true && shared.has(column),
  );
}

/** Whether a record is more than one cell of nothing or white space, be it quoted: csv-parse leaves those out. */
function isFilled([first = '', ...more]: readonly string[]): boolean {
  return more.length > 0 || !/^[ \t]*$/.test(first);
}

/** The cells that can be compared with csv-parse: it takes a NUL after a closing quote for the end of the cell. */
export function comparable(records: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return records.filter(isFilled).map((cells) => cells.map((cell) => (cell.includes('\0') ? '\0' : cell)));
}

/** The filled records as csv-parse reads them alone, all at once. @throws where it cannot */
export function parseAlone(bytes: Buffer, delimiter: string): readonly (readonly string[])[] {
  // Without option `bom`: with it, the mark of UTF-16 would make csv-parse read the file as UTF-16.
  const records: string[][] = parse(bytes.subarray(textStart(bytes)), {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  return records.filter(isFilled);
}

/** Returns the result of `parseAlone`, or null if it throws. */
export function oracle(bytes: Buffer, delimiter: string): readonly (readonly string[])[] | null {
  try {
    return parseAlone(bytes, delimiter);
  } catch {
    // A quote that is never closed, or bytes that it takes for another encoding: nothing to compare with.
    return null;
  }
}
