import type { FileWhere, ReadProblem } from '../../domain/problem';
import { readCells } from './cells';
import type { Cells } from './cells';
import { BASIC_COLUMNS, COLUMNS, REQUIRED_COLUMNS } from '../row/columns';
import { detectDelimiter, isUtf16, readDialect, textStart } from './dialect';
import type { Dialect } from './dialect';
import { problemAt, scanCells, scanRecords } from './records';
import type { CellSpan, RecordSpan, Scan } from './records';
import { Unchanged } from './unchangedRecords';
import { t } from '../../platform/text/translate';

/** Record after the header: a row of the queue, if it is valid. */
export interface CsvRecord extends RecordSpan {
  /** Texts of the cells, without the quotes around them. Not reliable if the record is damaged. */
  readonly cells: Cells;
}

/** Queue file as it was read. Immutable: a change makes new bytes. */
export interface CsvFile {
  readonly bytes: Buffer;
  readonly dialect: Dialect;
  /** Index of each column, by its name in lower case. */
  readonly columns: ReadonlyMap<string, number>;
  /** Number of cells that a record should have. */
  readonly columnCount: number;
  /** Place of the header; null if the file is empty. */
  readonly header: RecordSpan | null;
  /** Records after the header, in order. The last one is left out if a quote in it is not closed. */
  readonly records: readonly CsvRecord[];
  /** Whether the file is complete. A file that is being written may be empty or end inside a cell. */
  readonly whole: boolean;
  /** Whether a quote in the last record is not closed. */
  readonly endsInQuote: boolean;
  /** Reason why it is not whole; null if it is. */
  readonly problem: ReadProblem<FileWhere> | null;
}

/** New text for a cell. */
export interface CellChange {
  /** Index in the file's `records`. */
  readonly record: number;
  readonly column: string;
  readonly text: string;
}

/**
 * Parses a queue file. A record with the same bytes as in `previous`, at the same index from the start or the end,
 * reuses its `cells`. If nothing changed, returns `previous`.
 * @throws TooManyRecords above `mostRows`, before anything is parsed; nothing else in the file makes it throw
 */
export function readCsv(bytes: Buffer, previous?: CsvFile, mostRows = Infinity): CsvFile {
  if (previous !== undefined && bytes.equals(previous.bytes)) return previous;
  const delimiter = detectDelimiter(bytes);
  // The header counts as a record.
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
    endsInQuote: scan.openQuoteAt >= 0,
    problem,
  };
}

function readChanged(
  bytes: Buffer,
  spans: readonly RecordSpan[],
  delimiter: string,
  previous: CsvFile | undefined,
): Cells[] {
  const unchanged = previous && new Unchanged(previous.bytes, bytes);
  const known = spans.map((span, index): Cells | undefined => {
    const isSame = (earlier: CsvRecord | undefined): boolean =>
      earlier !== undefined && unchanged?.isSame(earlier, span) === true;
    const fromStart = previous?.records[index];
    if (isSame(fromStart)) return fromStart?.cells;
    const fromEnd = previous?.records[previous.records.length + index - spans.length];
    return isSame(fromEnd) ? fromEnd?.cells : undefined;
  });
  const unknown = spans.filter((_, index) => known[index] === undefined);
  const read = readCells(bytes, unknown, delimiter).values();
  return known.map((cells) => cells ?? read.next().value ?? []);
}

function withCells({ line, start, end, next, strayQuoteAt }: RecordSpan, cells: Cells): CsvRecord {
  return { line, start, end, next, strayQuoteAt, cells };
}

/** Returns a cell's text; undefined if the file has no such column, or the record ends before it. */
export function cellOf(file: CsvFile, record: CsvRecord, column: string): string | undefined {
  const index = file.columns.get(column);
  return index === undefined ? undefined : record.cells[index];
}

/** Returns a cell's place in the file; undefined as in `cellOf`. */
export function spanOf(file: CsvFile, record: CsvRecord, column: string): CellSpan | undefined {
  const index = file.columns.get(column);
  return index === undefined ? undefined : scanCells(file.bytes, record, file.dialect.delimiter)[index];
}

/**
 * Returns the file's bytes with these cells changed and no other byte. A quoted cell stays quoted; another gets
 * quotes only if its new text needs them. If one cell is changed twice, the later change counts.
 * @throws RangeError if a cell does not exist
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
 * Returns the file's bytes with more records at the end, in the file's dialect. Columns that are not in a record's
 * cells stay empty.
 * @throws RangeError if a name in the cells is no column of the file
 */
export function appendRecords(file: CsvFile, records: readonly Readonly<Record<string, string>>[]): Buffer {
  const { lineEnd, lastLineEnds } = file.dialect;
  const lines = records.map((cells) => {
    const record = writeRecord(file, cells);
    return lastLineEnds ? record + lineEnd : lineEnd + record;
  });
  return Buffer.concat([file.bytes, Buffer.from(lines.join(''))]);
}

function writeRecord(file: CsvFile, cells: Readonly<Record<string, string>>): string {
  const texts = Array.from({ length: file.columnCount }, () => '');
  for (const [column, text] of Object.entries(cells)) {
    const index = file.columns.get(column);
    if (index === undefined) throw new RangeError(`The file has no column "${column}"`);
    texts[index] = encodeCell(text, file.dialect, false);
  }
  return texts.join(file.dialect.delimiter);
}

/**
 * Returns the file's bytes with these columns after the others, empty in every record. A record with too few or too
 * many cells keeps that fault. The file must be whole.
 * @throws RangeError if the file has no header
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

/** Returns a cell's text as it is written in a file. */
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
): ReadProblem<FileWhere> | null {
  const [first] = records;
  const last = records.at(-1);
  const example = BASIC_COLUMNS.join(',');
  if (first === undefined || last === undefined) {
    const message = t('The file is empty. Its first line names the columns, such as {0}.', example);
    return { where: { kind: 'file', line: 1, column: 1 }, row: 1, message };
  }
  const inHeader = (message: string, at = first.start): ReadProblem<FileWhere> =>
    problemAt(bytes, first, at, message);
  if (isUtf16(bytes)) return inHeader(t('The file is written in UTF-16. Save it as UTF-8.'));
  if (openQuoteAt >= 0) {
    const message = t(
      'This quote is never closed. End the cell with another quote; inside it, write a quote twice.',
    );
    return problemAt(bytes, last, openQuoteAt, message);
  }
  if (first.strayQuoteAt >= 0) {
    return inHeader(
      t('The header has a misplaced quote. Write the names without quotes.'),
      first.strayQuoteAt,
    );
  }
  if (header[0]?.startsWith('sep=') === true) {
    return inHeader(t('This line is for spreadsheets only. Remove it: the first line names the columns.'));
  }
  const missing = REQUIRED_COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    return inHeader(
      t('The header lacks {0}. It names the columns, such as {1}.', missing.join(', '), example),
    );
  }
  const twice = COLUMNS.find((column) => header.indexOf(column) !== header.lastIndexOf(column));
  if (twice === undefined) return null;
  return inHeader(t('The header names the column {0} twice. Remove or rename one of them.', twice));
}
