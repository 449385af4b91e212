import type { RecordSpan } from './records';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export type LineEnd = '\r\n' | '\n' | '\r';

/** How a file is written; what is added to it is written in the same way. */
export interface Dialect {
  /** UTF-8 byte order mark at the start. */
  readonly bom: boolean;
  readonly delimiter: ',' | ';' | '\t';
  /** The one that ends most records. */
  readonly lineEnd: LineEnd;
  /** Whether the last line has a line end. */
  readonly lastLineEnds: boolean;
}

/** Where the text starts: behind the byte order mark, if there is one. */
export function textStart(bytes: Buffer): number {
  return bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** Whether the bytes start with the mark of UTF-16, which spreadsheets write as "Unicode text". */
export function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** The one of comma, semicolon and tab that the first line with text has most of, outside quotes. */
export function detectDelimiter(bytes: Buffer): Dialect['delimiter'] {
  const counts = countFirstLine(bytes);
  const [commas = 0, semicolons = 0, tabs = 0] = [',', ';', '\t'].map((name) =>
    counts.get(name.charCodeAt(0)),
  );
  if (tabs > commas && tabs > semicolons) return '\t';
  return semicolons > commas ? ';' : ',';
}

/** How often each byte is outside quotes in the first line that is more than white space. */
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

/** What the file's bytes and its records show of how it is written. */
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
