import type { ReadProblem } from '../../domain/problem';
import { readCells } from './cells';
import type { Cells } from './cells';
import { BASIC_COLUMNS, COLUMNS, REQUIRED_COLUMNS } from '../row/columns';
import { detectDelimiter, isUtf16, readDialect, textStart } from './dialect';
import type { Dialect } from './dialect';
import { placeOf, scanCells, scanRecords } from './records';
import type { CellSpan, RecordSpan, Scan } from './records';

/** A record behind the header: a row of the queue, if it can be understood. */
export interface CsvRecord extends RecordSpan {
  /** The cells' texts, without the quotes around them; not dependable where the record is damaged. */
  readonly cells: Cells;
}

/** A queue file as it was read. It is a value: a change makes new bytes. */
export interface CsvFile {
  readonly bytes: Buffer;
  readonly dialect: Dialect;
  /** Where to find a column, by its name in small letters. */
  readonly columns: ReadonlyMap<string, number>;
  /** How many cells a record should have. */
  readonly columnCount: number;
  /** Where the column's names lie; null where there is nothing. */
  readonly header: RecordSpan | null;
  /** All records but the header, in their order; without the last one if that is not closed. */
  readonly records: readonly CsvRecord[];
  /** Whether this can be believed: a file that is just being written may be empty or end inside a cell. */
  readonly whole: boolean;
  /** Why it is not whole; null if it is. */
  readonly problem: ReadProblem | null;
}

/** A new text for a cell. */
export interface CellChange {
  /** Index in the file's `records`. */
  readonly record: number;
  readonly column: string;
  readonly text: string;
}

/**
 * Reads a queue file. With an earlier reading a record that has the same bytes at the same place, counted from the start or
 * from the end, takes over the very same `cells`; a file that is the same is `previous`.
 * @throws TooManyRecords above `mostRows`, before anything is parsed; for nothing else that is in it
 */
export function readCsv(bytes: Buffer, previous?: CsvFile, mostRows = Infinity): CsvFile {
  if (previous !== undefined && bytes.equals(previous.bytes)) return previous;
  const delimiter = detectDelimiter(bytes);
  // The header is a record too.
  const scan = scanRecords(bytes, textStart(bytes), delimiter, mostRows + 1);
  const closed = scan.openQuoteAt < 0 ? scan.records : scan.records.slice(0, -1);
  const [header, ...spans] = closed;
  const names = readCells(bytes, header === undefined ? [] : [header], delimiter)[0] ?? [];
  const columns = names.map((name) => name.trim().toLowerCase());
  const cells = readChanged(
    bytes,
    spans,
    delimiter,
    previous?.dialect.delimiter === delimiter ? previous : undefined,
  );
  const problem = findProblem(bytes, scan, columns);
  return {
    bytes,
    dialect: readDialect(bytes, delimiter, scan.records),
    columns: new Map(columns.map((name, index) => [name, index])),
    columnCount: columns.length,
    header: scan.records[0] ?? null,
    records: spans.map((span, index) => withCells(span, cells[index] ?? [])),
    whole: problem === null,
    problem,
  };
}

function readChanged(
  bytes: Buffer,
  spans: readonly RecordSpan[],
  delimiter: string,
  previous: CsvFile | undefined,
): Cells[] {
  const known = spans.map((span, index) => findKnown(bytes, span, [index, index - spans.length], previous));
  const unknown = spans.filter((_, index) => known[index] === undefined);
  const read = readCells(bytes, unknown, delimiter).values();
  return known.map((cells) => cells ?? read.next().value ?? []);
}

/** The cells of an earlier record with the same bytes at one of these places. */
function findKnown(
  bytes: Buffer,
  { start, end }: RecordSpan,
  places: readonly number[],
  previous: CsvFile | undefined,
): Cells | undefined {
  if (previous === undefined) return undefined;
  const isSame = ({ start: from, end: to }: RecordSpan): boolean =>
    previous.bytes.compare(bytes, start, end, from, to) === 0;
  return places
    .map((place) => previous.records.at(place))
    .find((earlier) => earlier !== undefined && isSame(earlier))?.cells;
}

function withCells({ line, start, end, next, strayQuoteAt }: RecordSpan, cells: Cells): CsvRecord {
  return { line, start, end, next, strayQuoteAt, cells };
}

/** A cell's text; undefined if the file has no such column, or the record ends before it. */
export function cellOf(file: CsvFile, record: CsvRecord, column: string): string | undefined {
  const index = file.columns.get(column);
  return index === undefined ? undefined : record.cells[index];
}

/** A cell's place in the file; undefined as in `cellOf`. */
export function spanOf(file: CsvFile, record: CsvRecord, column: string): CellSpan | undefined {
  const index = file.columns.get(column);
  return index === undefined ? undefined : scanCells(file.bytes, record, file.dialect.delimiter)[index];
}

/**
 * The file's bytes with these cells changed and no other byte. A cell that was quoted stays quoted; another one gets
 * quotes only if its new text needs them. Every cell must be there; of two changes to one the later counts.
 */
export function spliceCells(file: CsvFile, changes: readonly CellChange[]): Buffer {
  const edits = new Map<number, { readonly span: CellSpan; readonly text: string }>();
  for (const { record: index, column, text } of changes) {
    const record = file.records[index];
    const span = record && spanOf(file, record, column);
    if (span === undefined) throw new RangeError(`Record ${index} has no cell "${column}"`);
    edits.set(span.start, { span, text });
  }
  const parts: Buffer[] = [];
  let kept = 0;
  for (const { span, text } of [...edits.values()].sort((a, b) => a.span.start - b.span.start)) {
    parts.push(file.bytes.subarray(kept, span.start));
    parts.push(Buffer.from(encodeCell(text, file.dialect, span.quoted)));
    kept = span.end;
  }
  return Buffer.concat([...parts, file.bytes.subarray(kept)]);
}

/**
 * The file's bytes with one more record at the end, written as the file is; a column that is not in `cells` stays
 * empty. Each name in `cells` must be a column of the file.
 */
export function appendRecord(file: CsvFile, cells: Readonly<Record<string, string>>): Buffer {
  const texts = Array.from({ length: file.columnCount }, () => '');
  for (const [column, text] of Object.entries(cells)) {
    const index = file.columns.get(column);
    if (index === undefined) throw new RangeError(`The file has no column "${column}"`);
    texts[index] = encodeCell(text, file.dialect, false);
  }
  const { delimiter, lineEnd, lastLineEnds } = file.dialect;
  const record = texts.join(delimiter);
  return Buffer.concat([file.bytes, Buffer.from(lastLineEnds ? record + lineEnd : lineEnd + record)]);
}

/**
 * The file's bytes with these columns behind the others, empty in every record: also in one with too few or too many
 * cells, which keeps that fault. The file must be whole.
 */
export function appendColumns(file: CsvFile, names: readonly string[]): Buffer {
  const { bytes, header, records, dialect } = file;
  if (header === null) throw new RangeError('The file has no header.');
  const parts: Buffer[] = [];
  let kept = 0;
  const insert = (at: number, text: string): void => {
    parts.push(bytes.subarray(kept, at), Buffer.from(text));
    kept = at;
  };
  insert(header.end, names.map((name) => dialect.delimiter + name).join(''));
  for (const { end } of records) insert(end, dialect.delimiter.repeat(names.length));
  return Buffer.concat([...parts, bytes.subarray(kept)]);
}

/** A cell's text as it is in the file. */
export function encodeCell(
  text: string,
  { delimiter }: Pick<Dialect, 'delimiter'>,
  wasQuoted: boolean,
): string {
  const needsQuotes = wasQuoted || text.includes(delimiter) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

function findProblem(
  bytes: Buffer,
  { records, openQuoteAt }: Scan,
  header: readonly string[],
): ReadProblem | null {
  const [first] = records;
  const last = records.at(-1);
  const example = BASIC_COLUMNS.join(',');
  if (first === undefined || last === undefined) {
    return {
      where: { kind: 'file', line: 1, column: 1 },
      message: `The file is empty. Its first line names the columns: ${example}`,
    };
  }
  const where = placeOf(bytes, first, first.start);
  if (isUtf16(bytes)) return { where, message: 'The file is written in UTF-16. Save it as UTF-8.' };
  if (openQuoteAt >= 0) {
    const message =
      'This quote is never closed. End the cell with another quote; inside it, write a quote twice.';
    return { where: placeOf(bytes, last, openQuoteAt), message };
  }
  if (first.strayQuoteAt >= 0) {
    const message = 'The header has a misplaced quote. Write the names without quotes.';
    return { where: placeOf(bytes, first, first.strayQuoteAt), message };
  }
  if (header[0]?.startsWith('sep=') === true) {
    const message = 'This line is for spreadsheets only. Remove it: the first line names the columns.';
    return { where, message };
  }
  const missing = REQUIRED_COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    return {
      where,
      message: `The header lacks ${missing.join(', ')}. It names the columns, such as: ${example}`,
    };
  }
  const twice = COLUMNS.find((column) => header.indexOf(column) !== header.lastIndexOf(column));
  if (twice === undefined) return null;
  return { where, message: `The header names the column ${twice} twice. Remove or rename one of them.` };
}
