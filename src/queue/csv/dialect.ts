import type { RecordSpan } from './records';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export type LineEnd = '\r\n' | '\n' | '\r';

/** Dialect of a file. What is added to the file is written in the same way. */
export interface Dialect {
  /** UTF-8 byte order mark at the start. */
  readonly bom: boolean;
  readonly delimiter: ',' | ';' | '\t';
  /** Line end of most records. */
  readonly lineEnd: LineEnd;
  /** Whether the last line has a line end. */
  readonly lastLineEnds: boolean;
}

/** Returns the offset of the text, after the byte order mark if there is one. */
export function textStart(bytes: Buffer): number {
  return bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** Returns whether the bytes start with the UTF-16 mark, which spreadsheets write as "Unicode text". */
export function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Returns the most frequent of comma, semicolon and tab in the first line with text, outside quotes. */
export function detectDelimiter(bytes: Buffer): Dialect['delimiter'] {
  const counts = countFirstLine(bytes);
  const [commas = 0, semicolons = 0, tabs = 0] = [',', ';', '\t'].map((name) =>
    counts.get(name.charCodeAt(0)),
  );
  if (tabs > commas && tabs > semicolons) return '\t';
  return semicolons > commas ? ';' : ',';
}

/** Returns the number of times that each byte occurs outside quotes in the first line that is not blank. */
function countFirstLine(bytes: Buffer): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  let quoted = false;
  for (let at = textStart(bytes); at < bytes.length; at++) {
    const byte = bytes[at] ?? LF;
    if (byte === QUOTE) quoted = !quoted;
    if (quoted) continue;
    if (byte !== LF && byte !== CR) counts.set(byte, (counts.get(byte) ?? 0) + 1);
    else if ([...counts.keys()].some((found) => found > SPACE)) break;
    else counts.clear();
  }
  return counts;
}

/** Returns the dialect of a file from its bytes and records. */
export function readDialect(
  bytes: Buffer,
  delimiter: Dialect['delimiter'],
  records: readonly Pick<RecordSpan, 'end' | 'next'>[],
): Dialect {
  let [lf, crLf, cr] = [0, 0, 0];
  for (const { end, next } of records) {
    if (next - end === 2) crLf++;
    else if (next > end && bytes[end] === CR) cr++;
    else if (next > end) lf++;
  }
  const lineEnd = lf >= crLf && lf >= cr ? '\n' : crLf >= cr ? '\r\n' : '\r';
  const last = bytes.at(-1);
  return { bom: textStart(bytes) > 0, delimiter, lineEnd, lastLineEnds: last === LF || last === CR };
}
