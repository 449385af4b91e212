import type { FileWhere, ReadProblem } from '../../domain/problem';

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Place of a record in the file's bytes. */
export interface RecordSpan {
  /** Line number of its first byte, from 1. */
  readonly line: number;
  readonly start: number;
  /** Offset after its last byte, without the line end. */
  readonly end: number;
  /** Offset after its line end. */
  readonly next: number;
  /** Offset of its first misplaced quote; -1 if there is none. */
  readonly strayQuoteAt: number;
}

/** Place of a cell in the file's bytes, with its quotes. */
export interface CellSpan {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** All records of a file. */
export interface Scan {
  readonly records: readonly RecordSpan[];
  /** Offset of the quote that opens the last cell of the last record and is never closed; -1 if there is none. */
  readonly openQuoteAt: number;
}

/** Thrown if a file has more records than its reader accepts. */
export class TooManyRecords extends Error {}

/** Position of a scan, and the problems that it found. */
interface Cursor {
  at: number;
  line: number;
  strayQuoteAt: number;
  openQuoteAt: number;
}

/** Returns a cursor at a byte where a record, or a blank line, may start. */
function cursorAt(at: number, line: number): Cursor {
  return { at, line, strayQuoteAt: -1, openQuoteAt: -1 };
}

/**
 * Returns the records from offset `from` on. As in RFC 4180, a cell whose first byte is a quote ends at its closing
 * quote, and a doubled quote in it is a quote. Records end at LF, CR LF or CR. Any other quote is text, and noted.
 * Blank lines are not records.
 * @throws TooManyRecords above `most`
 */
export function scanRecords(bytes: Buffer, from: number, delimiter: string, most = Infinity): Scan {
  const delimiterByte = delimiter.charCodeAt(0);
  const records: RecordSpan[] = [];
  const cursor = cursorAt(from, 1);
  while (cursor.at < bytes.length) {
    const record = scanRecord(bytes, cursor, delimiterByte);
    if (record === null) continue;
    if (records.length === most) throw new TooManyRecords();
    records.push(record);
  }
  return { records, openQuoteAt: cursor.openQuoteAt };
}

/** Returns the record at the cursor and moves behind its line end; null for a blank line. */
function scanRecord(bytes: Buffer, cursor: Cursor, delimiterByte: number): RecordSpan | null {
  const { at: start, line } = cursor;
  cursor.strayQuoteAt = -1;
  skipCell(bytes, cursor, delimiterByte);
  const severalCells = bytes[cursor.at] === delimiterByte;
  while (bytes[cursor.at] === delimiterByte) {
    cursor.at++;
    skipCell(bytes, cursor, delimiterByte);
  }
  const end = cursor.at;
  skipLineEnd(bytes, cursor);
  if (!severalCells && isBlank(bytes, start, end)) return null;
  return { line, start, end, next: cursor.at, strayQuoteAt: cursor.strayQuoteAt };
}

/** Returns the places of the cells of one record. */
export function scanCells(bytes: Buffer, { start, end }: RecordSpan, delimiter: string): readonly CellSpan[] {
  const delimiterByte = delimiter.charCodeAt(0);
  const cells: CellSpan[] = [];
  const cursor = cursorAt(start - 1, 0);
  do {
    const cellStart = ++cursor.at;
    skipCell(bytes, cursor, delimiterByte);
    cells.push({ start: cellStart, end: cursor.at, quoted: cellStart < end && bytes[cellStart] === QUOTE });
  } while (cursor.at < end);
  return cells;
}

/** Returns the line and column of a byte in a record. A column counts UTF-16 code units, as editors do. */
export function placeOf(bytes: Buffer, record: RecordSpan, at: number): FileWhere {
  let { line, start: lineStart } = record;
  for (let byte = record.start; byte < at; byte++) {
    if (!endsLine(bytes, byte)) continue;
    line++;
    lineStart = byte + 1;
  }
  return { kind: 'file', line, column: bytes.toString('utf8', lineStart, at).length + 1 };
}

/** Returns a problem that a record has at a byte. */
export function problemAt(
  bytes: Buffer,
  record: RecordSpan,
  at: number,
  message: string,
): ReadProblem<FileWhere> {
  return { where: placeOf(bytes, record, at), row: record.line, message };
}

function skipCell(bytes: Buffer, cursor: Cursor, delimiter: number): void {
  const quoted = bytes[cursor.at] === QUOTE;
  if (quoted) skipQuoted(bytes, cursor);
  const textStart = cursor.at;
  let at = textStart;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === delimiter || byte === LF || byte === CR) break;
    if (byte === QUOTE && !quoted && cursor.strayQuoteAt < 0) cursor.strayQuoteAt = at;
  }
  if (quoted && at > textStart && cursor.strayQuoteAt < 0) cursor.strayQuoteAt = textStart - 1;
  cursor.at = at;
}

/** Moves from an opening quote to behind its closing one, or to the end of the file. */
function skipQuoted(bytes: Buffer, cursor: Cursor): void {
  const opening = cursor.at;
  let at = opening + 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    // Fast path: nearly every byte ends here, and a file has millions of them.
    if (byte > QUOTE) continue;
    if (byte === QUOTE) {
      if (bytes[at + 1] !== QUOTE) break;
      at++;
    } else if ((byte === LF || byte === CR) && endsLine(bytes, at)) {
      cursor.line++;
    }
  }
  if (at >= bytes.length) {
    cursor.openQuoteAt = opening;
    cursor.at = bytes.length;
  } else {
    cursor.at = at + 1;
  }
}

function skipLineEnd(bytes: Buffer, cursor: Cursor): void {
  if (cursor.at >= bytes.length) return;
  if (!endsLine(bytes, cursor.at)) cursor.at++;
  cursor.at++;
  cursor.line++;
}

/** Returns whether a line ends with this byte: an LF, or a CR without an LF after it. */
function endsLine(bytes: Buffer, at: number): boolean {
  return bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF);
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== SPACE && bytes[at] !== TAB) return false;
  }
  return true;
}
