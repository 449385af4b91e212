import { Problem } from '../../../domain/problem';
import { parseJson } from '../../../platform/text/shapes';
import { t } from '../../../platform/text/translate';

/**
 * Format of `state/`. An older program refuses a newer format. From format 3 on, a journal names its history.
 * Journals of formats 1 and 2 are read, then replaced by a generation of this format.
 */
export const STATE_VERSION = 3;

/** One line: the header, the complete result of one step, the end of an opening, or a seal. */
export interface Line<T> {
  /** Offset of the line in the file, in bytes. */
  readonly at: number;
  /** Number of the valid line, from 0. A gap shows a lost line. */
  readonly n: number;
  /** Id of the writer: two writers never write the same bytes. */
  readonly by: string;
  readonly version?: number;
  /** On the first line: the id of the queue's history. */
  readonly history?: string;
  readonly entry?: T;
  /** End of the opening, which replaces all earlier generations. */
  readonly opened?: true;
  /**
   * Seal: nothing behind it is valid, and the next generation continues. A seal names the format too, so that programs
   * of format 1 stop at it.
   */
  readonly sealed?: true;
}

/** First line of a journal. */
export interface JournalHeader {
  readonly version: number;
  /** The id of the queue's history; null in formats that had none. */
  readonly history: string | null;
}

/** Returns the header that a journal's first line holds. */
export function headerOf({ version = 1, history }: Line<unknown>): JournalHeader {
  return { version, history: version < STATE_VERSION ? null : (history ?? '') };
}

/** Complete line, and whether it is at its own offset. */
export interface FoundLine<T> {
  readonly line: Line<T>;
  readonly inPlace: boolean;
  /** Offset of the next line in the file, in bytes. */
  readonly end: number;
}

const NEW_LINE = 0x0a;

/** End of a line that a crash or a full disk cut off. With it the line is never valid. */
const CUT_OFF = '\u0018\n';

/** Returns the text that must precede a line appended to `bytes`. */
export function endOfCutOff(bytes: Buffer): string {
  return bytes.length === 0 || bytes.at(-1) === NEW_LINE ? '' : CUT_OFF;
}

/** Returns the number of bytes in complete lines. The rest is still being written, or was cut off. */
export function wholeLength(bytes: Buffer): number {
  return bytes.lastIndexOf(NEW_LINE) + 1;
}

/** Returns the bytes of a line, with its line end. */
export function composeLine<T>(line: Line<T>): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** Yields the complete lines in bytes that start at offset `from` of the file. */
export function* linesIn<T>(bytes: Buffer, from: number): Generator<FoundLine<T>> {
  let start = 0;
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
    const line = parseLine<T>(bytes.toString('utf8', start, end));
    if (line !== null) yield { line, inPlace: line.at === from + start, end: from + end + 1 };
    start = end + 1;
  }
}

/**
 * Returns whether this is the valid line number `count`. An invalid line was written beside a valid one: its number is
 * never ahead.
 * @throws Problem `state-newer` for a newer format; `state-damaged` if a line is missing
 */
export function isValidLine<T>(file: string, { line, inPlace }: FoundLine<T>, count: number): boolean {
  if (inPlace && line.version !== undefined && line.version > STATE_VERSION) {
    throw new Problem(
      'state-newer',
      t(
        '{0} was written by a newer version of this program (format {1}, this one knows {2}). Update this program.',
        file,
        line.version,
        STATE_VERSION,
      ),
    );
  }
  if (inPlace ? line.n === count : line.n <= count) return inPlace;
  throw damaged(t('{0} is damaged before byte {1}: entry {2} is missing.', file, line.at, count));
}

/** Returns the problem of a journal that has lost something; `what` is a sentence about its file. */
export function damaged(what: string): Problem {
  return new Problem(
    'state-damaged',
    t(
      '{0} Nothing was changed. Put the file back from a backup, or move the state folder away to start ' +
        'with a new history.',
      what,
    ),
  );
}

function parseLine<T>(text: string): Line<T> | null {
  const line = parseJson(text);
  return isLine<T>(line) ? line : null;
}

function isLine<T>(line: unknown): line is Line<T> {
  return typeof line === 'object' && line !== null && 'at' in line && 'n' in line;
}
