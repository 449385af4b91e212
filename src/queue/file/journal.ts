import * as fs from 'node:fs/promises';
import { Problem } from '../../domain/problem';
import { appendDurably, hasCode } from '../../platform/files';

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
  readonly version?: number;
  readonly entry?: T;
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

  constructor(private readonly file: string) {}

  /**
   * The entries since the last call; `restarted` when the journal is another one than before (put away, or new),
   * in which case they are all there are.
   * @throws Problem `state-newer`, `state-damaged`
   */
  async read(): Promise<{ readonly restarted: boolean; readonly entries: readonly T[] }> {
    const tail = await this.readTail();
    if (tail === null) return { restarted: this.forget(), entries: [] };
    const restarted = tail.restarted && this.forget();
    this.inode = tail.inode;
    return { restarted, entries: this.take(tail.bytes) };
  }

  /**
   * Appends an entry behind all that has been read, on the disk when this returns true. False: another writer was
   * there first; nothing has happened, read again.
   */
  async append(entry: T): Promise<boolean> {
    if (this.offset === 0) await this.begin();
    const size = await this.size();
    const cut = size > this.offset ? CUT_OFF : '';
    const at = size + cut.length;
    const text = `${JSON.stringify({ at, n: this.count, entry } satisfies Line<T>)}\n`;
    await appendDurably(this.file, cut + text);
    if (!(await this.standsAt(at, text))) return false;
    this.offset = at + Buffer.byteLength(text);
    this.count += 1;
    return true;
  }

  /** Lets the next read begin from the start. */
  rewind(): void {
    this.forget();
  }

  private forget(): boolean {
    const knewSomething = this.offset > 0;
    this.offset = 0;
    this.count = 0;
    this.inode = null;
    return knewSomething;
  }

  private async readTail(): Promise<{ bytes: Buffer; restarted: boolean; inode: bigint } | null> {
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(this.file, 'r');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
    try {
      const { ino, size } = await handle.stat({ bigint: true });
      const restarted = this.inode !== null && (this.inode !== ino || Number(size) < this.offset);
      const from = restarted ? 0 : this.offset;
      const bytes = Buffer.alloc(Math.max(Number(size) - from, 0));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return { bytes: bytes.subarray(0, bytesRead), restarted, inode: ino };
    } finally {
      await handle.close();
    }
  }

  /** Takes the whole lines; what is behind the last line end is still being written, or was cut off. */
  private take(bytes: Buffer): T[] {
    const entries: T[] = [];
    const base = this.offset;
    let start = 0;
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
      const line = parseLine<T>(bytes.toString('utf8', start, end));
      if (line?.at === base + start) {
        this.check(line);
        if (line.entry !== undefined) entries.push(line.entry);
        this.count += 1;
      }
      start = end + 1;
    }
    this.offset = base + start;
    return entries;
  }

  private check(line: Line<T>): void {
    if (line.version !== undefined && line.version > STATE_VERSION) {
      throw new Problem(
        'state-newer',
        `${this.file} was written by a newer version of this program (format ${String(line.version)}, ` +
          `this one knows ${String(STATE_VERSION)}). Update this program.`,
      );
    }
    if (line.n === this.count) return;
    throw new Problem(
      'state-damaged',
      `${this.file} is damaged before byte ${String(line.at)}: entry ${String(this.count)} is missing. Nothing was ` +
        'changed. Put the file back from a backup, or move the state folder away to begin with a new history.',
    );
  }

  private async size(): Promise<number> {
    try {
      return (await fs.stat(this.file)).size;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 0;
      throw error;
    }
  }

  /** Writes the format's line. */
  private async begin(): Promise<void> {
    const size = await this.size();
    const cut = size > 0 ? CUT_OFF : '';
    const text = `${JSON.stringify({ at: size + cut.length, n: 0, version: STATE_VERSION } satisfies Line<T>)}\n`;
    await appendDurably(this.file, cut + text);
    this.inode = (await fs.stat(this.file, { bigint: true })).ino;
    this.offset = size + cut.length + text.length;
    this.count = 1;
  }

  private async standsAt(at: number, text: string): Promise<boolean> {
    const handle = await fs.open(this.file, 'r');
    try {
      const expected = Buffer.from(text);
      const found = Buffer.alloc(expected.length);
      const { bytesRead } = await handle.read(found, 0, found.length, at);
      return bytesRead === expected.length && found.equals(expected);
    } finally {
      await handle.close();
    }
  }
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
