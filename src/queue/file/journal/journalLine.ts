import { Problem } from '../../../domain/problem';

/**
 * Format of `state/`; an older program refuses a newer one. From format 3 on a journal names its history. Journals of
 * formats 1 and 2 are read, and replaced by a generation of this format.
 */
export const STATE_VERSION = 3;

/** One line: the format, what one step did, all of it or nothing, or the journal's end. */
export interface Line<T> {
  /** The line's own place in the file, in bytes. */
  readonly at: number;
  /** Counts the valid lines from 0, so that a lost one is noticed. */
  readonly n: number;
  /** Who wrote it: two writers never write the same bytes. */
  readonly by: string;
  readonly version?: number;
  /** On the first line: the id of the queue's history. */
  readonly history?: string;
  readonly entry?: T;
  /** What stands for the generations before this one ends here. */
  readonly opened?: true;
  /** Nothing behind it counts: the next generation continues. It names the format, so that a program of format 1 stops at it. */
  readonly sealed?: true;
}

/** What the first line of a journal says. */
export interface JournalHeader {
  readonly version: number;
  /** The id of the queue's history; null in formats that had none. */
  readonly history: string | null;
}

/** The header that a journal's first line holds. */
export function headerOf({ version = 1, history }: Line<unknown>): JournalHeader {
  return { version, history: version < STATE_VERSION ? null : (history ?? '') };
}

/** A whole line, and whether it is where it says. */
export interface FoundLine<T> {
  readonly line: Line<T>;
  readonly inPlace: boolean;
  /** Where the next one starts, in bytes of the file. */
  readonly end: number;
}

const NEW_LINE = 0x0a;

/** Ends a line that was cut off by a crash or a full disk, so that it is never taken for a whole one. */
const CUT_OFF = '\u0018\n';

/** What has to be before a line that is appended to `bytes`. */
export function endOfCutOff(bytes: Buffer): string {
  return bytes.length === 0 || bytes.at(-1) === NEW_LINE ? '' : CUT_OFF;
}

/** How many of the bytes are whole lines: what is behind the last line end is still being written, or was cut off. */
export function wholeLength(bytes: Buffer): number {
  return bytes.lastIndexOf(NEW_LINE) + 1;
}

/** The bytes of a line, its end included. */
export function composeLine<T>(line: Line<T>): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/** The whole lines in bytes that start at byte `from` of the file. */
export function* linesIn<T>(bytes: Buffer, from: number): Generator<FoundLine<T>> {
  let start = 0;
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
    const line = parseLine<T>(bytes.toString('utf8', start, end));
    if (line !== null) yield { line, inPlace: line.at === from + start, end: from + end + 1 };
    start = end + 1;
  }
}

/**
 * Whether a line counts as number `count`. One that nobody counts was written beside the one that is counted in its
 * stead: it is never ahead of the others.
 * @throws Problem `state-newer`, `state-damaged`
 */
export function countsAs<T>(file: string, { line, inPlace }: FoundLine<T>, count: number): boolean {
  if (inPlace && line.version !== undefined && line.version > STATE_VERSION) {
    throw new Problem(
      'state-newer',
      `${file} was written by a newer version of this program (format ${String(line.version)}, ` +
        `this one knows ${String(STATE_VERSION)}). Update this program.`,
    );
  }
  if (inPlace ? line.n === count : line.n <= count) return inPlace;
  throw damaged(file, `is damaged before byte ${String(line.at)}: entry ${String(count)} is missing`);
}

/** A journal from which something is gone. */
export function damaged(file: string, what: string): Problem {
  return new Problem(
    'state-damaged',
    `${file} ${what}. Nothing was changed. Put the file back from a backup, or move the state folder away to start ` +
      'with a new history.',
  );
}

function parseLine<T>(text: string): Line<T> | null {
  try {
    const line: unknown = JSON.parse(text);
    return isLine<T>(line) ? line : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isLine<T>(line: unknown): line is Line<T> {
  return typeof line === 'object' && line !== null && 'at' in line && 'n' in line;
}
