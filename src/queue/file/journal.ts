import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode, PRIVATE_FILE, syncFolder, writeAll } from '../../platform/files';

/** Format of `state/`; an older program refuses a newer one. */
export const STATE_VERSION = 1;

/** Ends a line that was cut off by a crash or a full disk, so that it is never taken for a whole one. */
const CUT_OFF = '\u0018\n';

const NEW_LINE = 0x0a;

/** One line: either the format, or what one step did, all of it or nothing. */
interface Line<T> {
  /** The line's own place in the file, in bytes. */
  readonly at: number;
  /** Counts the valid lines from 0, so that a lost one is noticed. */
  readonly n: number;
  /** Who wrote it: two writers never write the same bytes. */
  readonly by: string;
  readonly version?: number;
  readonly entry?: T;
}

/** What stands behind all that has been read. */
interface Tail {
  readonly inode: bigint;
  readonly size: number;
  /** Where `bytes` begin. */
  readonly from: number;
  readonly bytes: Buffer;
}

/**
 * An append-only file of entries, shared by processes.
 *
 * A line says at which byte it was meant to stand, and counts only if it stands there. So a writer who decided on
 * an old end of the file, because it was frozen while its lock was taken over, writes a line that nobody counts,
 * and finds out by looking whether its own line stands at its place. The lock only keeps writers from wasting
 * work; the order and the exclusion come from the file itself.
 */
export class Journal<T> {
  /** Everything before it has been read. */
  private offset = 0;
  private count = 0;
  private inode: bigint | null = null;
  private readonly writer = randomUUID().slice(0, 8);

  constructor(private readonly file: string) {}

  /**
   * The entries since the last call; `restarted` when the journal is another one than before (put away, or new),
   * in which case they are all there are.
   * @throws Problem `state-newer`, `state-damaged`
   */
  async read(): Promise<{ readonly restarted: boolean; readonly entries: readonly T[] }> {
    const handle = await this.open('r');
    if (handle === null) return { restarted: this.rewind(), entries: [] };
    try {
      let tail = await this.readTail(handle);
      const restarted = tail === null && this.rewind();
      tail ??= await this.readTail(handle);
      return { restarted, entries: tail === null ? [] : this.take(tail) };
    } finally {
      await handle.close();
    }
  }

  /**
   * Appends an entry behind all that has been read, on the disk when this returns true. False: another writer was
   * there first, or the journal was put away; nothing has happened, read again.
   */
  async append(entry: T): Promise<boolean> {
    const handle = await this.open('a+');
    if (handle === null) return false;
    try {
      if (this.offset === 0 && !(await this.begin(handle))) return false;
      return await this.write(handle, { entry });
    } finally {
      await handle.close();
    }
  }

  /** Lets the next read begin from the start; true if anything had been read. */
  rewind(): boolean {
    const knewSomething = this.offset > 0;
    this.offset = 0;
    this.count = 0;
    this.inode = null;
    return knewSomething;
  }

  private async open(flags: 'r' | 'a+'): Promise<fs.FileHandle | null> {
    try {
      return await fs.open(this.file, flags, PRIVATE_FILE);
    } catch (error) {
      if (flags === 'r' && hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  /** What was appended since the last reading; null where this is not the file that was read. */
  private async readTail(handle: fs.FileHandle): Promise<Tail | null> {
    const stat = await handle.stat({ bigint: true });
    const size = Number(stat.size);
    if (size < this.offset || (this.inode !== null && this.inode !== stat.ino)) return null;
    const bytes = Buffer.alloc(size - this.offset);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.offset);
    return { inode: stat.ino, size, from: this.offset, bytes: bytes.subarray(0, bytesRead) };
  }

  /** Takes the whole lines; what is behind the last line end is still being written, or was cut off. */
  private take(tail: Tail): T[] {
    const entries: T[] = [];
    let count = this.count;
    for (const { line, inPlace } of linesIn<T>(tail)) {
      this.check(line, inPlace, count);
      if (!inPlace) continue;
      if (line.entry !== undefined) entries.push(line.entry);
      count += 1;
    }
    this.count = count;
    this.offset = tail.from + tail.bytes.lastIndexOf(NEW_LINE) + 1;
    this.inode = tail.inode;
    return entries;
  }

  /** A line that nobody counts was written beside the one that is counted in its stead: it is never ahead of the others. */
  private check(line: Line<T>, inPlace: boolean, count: number): void {
    if (inPlace && line.version !== undefined && line.version > STATE_VERSION) {
      throw new Problem(
        'state-newer',
        `${this.file} was written by a newer version of this program (format ${String(line.version)}, ` +
          `this one knows ${String(STATE_VERSION)}). Update this program.`,
      );
    }
    if (inPlace ? line.n === count : line.n <= count) return;
    throw new Problem(
      'state-damaged',
      `${this.file} is damaged before byte ${String(line.at)}: entry ${String(count)} is missing. Nothing was ` +
        'changed. Put the file back from a backup, or move the state folder away to begin with a new history.',
    );
  }

  /** Writes the format's line; a new file's name must be on the disk too, and its folder's. */
  private async begin(handle: fs.FileHandle): Promise<boolean> {
    if (!(await this.write(handle, { version: STATE_VERSION }))) return false;
    const folder = path.dirname(this.file);
    await syncFolder(folder);
    await syncFolder(path.dirname(folder));
    return true;
  }

  /** Writes a line behind what has been read; false if it does not count. */
  private async write(handle: fs.FileHandle, content: Pick<Line<T>, 'version' | 'entry'>): Promise<boolean> {
    const tail = await this.readTail(handle);
    if (tail === null || linesIn<T>(tail).some(({ inPlace }) => inPlace)) return false;
    const cut = tail.bytes.length === 0 || tail.bytes.at(-1) === NEW_LINE ? '' : CUT_OFF;
    const at = tail.size + cut.length;
    const line: Line<T> = { at, n: this.count, by: this.writer, ...content };
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    await writeAll(handle, Buffer.concat([Buffer.from(cut), text]));
    await handle.datasync();
    if (!(await standsAt(handle, at, text)) || !(await this.isInPlace(tail.inode))) return false;
    this.offset = at + text.length;
    this.count += 1;
    this.inode = tail.inode;
    return true;
  }

  /** Whether the file with that inode is still the journal, and not put away. */
  private async isInPlace(inode: bigint): Promise<boolean> {
    try {
      return (await fs.stat(this.file, { bigint: true })).ino === inode;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
  }
}

async function standsAt(handle: fs.FileHandle, at: number, text: Buffer): Promise<boolean> {
  const found = Buffer.alloc(text.length);
  const { bytesRead } = await handle.read(found, 0, found.length, at);
  return bytesRead === text.length && found.equals(text);
}

/** The whole lines, and whether each stands where it says. */
function linesIn<T>({ bytes, from }: Tail): { readonly line: Line<T>; readonly inPlace: boolean }[] {
  const lines: { line: Line<T>; inPlace: boolean }[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
    const line = parseLine<T>(bytes.toString('utf8', start, end));
    if (line !== null) lines.push({ line, inPlace: line.at === from + start });
    start = end + 1;
  }
  return lines;
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
