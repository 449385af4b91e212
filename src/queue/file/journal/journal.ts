import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { syncPath } from '../../../platform/files/files';
import { t } from '../../../platform/text/translate';
import { Generations } from './generations';
import { JournalFile } from './journalFile';
import {
  composeLine,
  damaged,
  endOfCutOff,
  headerOf,
  isValidLine,
  type JournalHeader,
  type Line,
  linesIn,
  STATE_VERSION,
  wholeLength,
} from './journalLine';

/** Bytes to parse before yielding to the event loop. */
const YIELD_EVERY_BYTES = 256 * 1024;

/** Result of one reading of a journal. */
export interface Reading<T> {
  /** True if the journal was replaced since the last reading; `entries` is then complete. */
  readonly restarted: boolean;
  readonly entries: readonly T[];
}

/** Position up to which a file has been read. */
interface Position {
  /** Bytes that have been read. */
  readonly offset: number;
  /** Number of valid lines. */
  readonly count: number;
  /** Bytes of the opening snapshot. */
  readonly snapshotBytes: number;
  readonly sealed: boolean;
  /** Null before the first line was read. */
  readonly header: JournalHeader | null;
}

const NOTHING: Position = { offset: 0, count: 0, snapshotBytes: 0, sealed: false, header: null };

/**
 * Append-only file of entries, shared by processes.
 *
 * A line names its own offset in the file, and is valid only there. A writer may be suspended while its lock is taken
 * over. It then appends at an old end of the file. Its line is not valid, which it finds out by reading it back. The
 * lock only saves work; order and exclusion come from the file itself.
 *
 * `rollOver` replaces the file by a new generation, which opens with a snapshot of the old one. The old file is
 * sealed first, by a line like any other. Nothing behind the seal is valid, so every process reads the same entries
 * up to it, no matter which one publishes the next generation.
 */
export class Journal<T> {
  private readonly generations: Generations;
  /** Newest generation at the last look; null if there was none. */
  private file: JournalFile | null = null;
  private position = NOTHING;
  private readonly writer = randomUUID().slice(0, 8);

  /**
   * @param firstPath path of the first generation
   * @param archive folder for generations that were replaced
   * @param getHistoryId returns the id of the history, which each new generation names
   */
  constructor(
    private readonly firstPath: string,
    archive: string,
    private readonly getHistoryId: () => Promise<string>,
  ) {
    this.generations = new Generations(firstPath, archive);
  }

  /** Bytes of the file that have been read or written. */
  get size(): number {
    return this.position.offset;
  }

  /** Bytes of the opening snapshot that have been read or written. */
  get snapshotSize(): number {
    return this.position.snapshotBytes;
  }

  /** Header of the current generation; null if none was read. */
  get header(): JournalHeader | null {
    return this.position.header;
  }

  /** Whether the file ends with a seal. The next generation is then still to be published. */
  get isSealed(): boolean {
    return this.position.sealed;
  }

  /** Whether the file that was read has been replaced. */
  get isReplaced(): boolean {
    return this.position.offset > 0 && !this.isInPlace();
  }

  /** Path of the current generation; null if there is none. */
  get path(): string | null {
    return this.file?.path ?? null;
  }

  /** Returns the entries since the last call. */
  async read(): Promise<Reading<T>> {
    const hadRead = this.position.offset > 0;
    for (let isReplaced = false; ;) {
      if (!this.isInPlace()) isReplaced = (await this.switchToNewest()) || isReplaced;
      const entries = await this.readTail();
      if (entries === null) continue;
      if (!this.position.sealed || (await this.generations.newest()) === this.file?.generation) {
        return { restarted: isReplaced && hadRead, entries };
      }
      isReplaced = (await this.switchToNewest()) || isReplaced;
    }
  }

  /**
   * Appends an entry behind all that has been read, synced to disk when this returns true. False: the entry is not
   * valid, because another writer was first, or the file was sealed, archived or replaced. Read again.
   */
  async append(entry: T): Promise<boolean> {
    if (this.position.sealed) return false;
    if (this.position.offset > 0 || (await this.createFirst())) return this.write({ entry });
    return false;
  }

  /**
   * Replaces the file by a generation that opens with these entries. When this returns true, that generation has
   * been read. False: another writer was first. Read again; if the file is sealed by then, the next generation is still
   * missing.
   */
  async rollOver(entries: Iterable<T>): Promise<boolean> {
    if (this.file === null || this.position.offset === 0) return false;
    const generation = this.file.generation + 1;
    const history = await this.getHistoryId();
    const draft = await this.generations.draft(generation, { by: this.writer, history, entries });
    try {
      if (!(await this.seal()) || !(await this.generations.publish(draft, generation))) return false;
    } finally {
      await this.generations.discard(draft);
    }
    await this.generations.clearUp(this.writer);
    await this.switchToNewest();
    // This process may have been suspended meanwhile; a newer generation may exist.
    if (this.file.generation !== generation) return false;
    const header = { version: STATE_VERSION, history };
    const { size, count } = draft;
    this.position = { offset: size, count, snapshotBytes: size, sealed: false, header };
    return true;
  }

  /** Removes drafts that a crash left. Requires the lock. */
  clearUp(): Promise<void> {
    return this.generations.clearDrafts();
  }

  /** Makes the next read start at the beginning of the file. */
  rewind(): void {
    this.position = NOTHING;
  }

  /** Closes the file until the next call. Keeps the position. */
  async close(): Promise<void> {
    await this.file?.close();
  }

  /** Switches to the newest generation. Returns whether it differs from the file that was read. */
  private async switchToNewest(): Promise<boolean> {
    const before = this.file;
    const found = await this.generations.find();
    if (before !== null && before.isSame(found) && this.isInPlace()) return false;
    await before?.close();
    this.file = found;
    this.rewind();
    return before !== null;
  }

  /** Whether the file still has its name and was not truncated. */
  private isInPlace(): boolean {
    const size = this.file?.size() ?? null;
    return size !== null && size >= this.position.offset;
  }

  /**
   * Reads what was appended since the last reading. Returns null if the file lost its name meanwhile: it was archived
   * or replaced.
   */
  private async readTail(): Promise<T[] | null> {
    const { file } = this;
    const { offset, sealed } = this.position;
    if (file === null || sealed) return [];
    const size = file.size();
    if (size === offset) return [];
    const bytes = size === null ? null : await file.read(offset, size);
    return bytes === null ? null : this.parseLines(file, bytes);
  }

  /** Parses the complete lines, up to a seal, and advances the position. */
  private async parseLines({ generation, path: name }: JournalFile, bytes: Buffer): Promise<T[]> {
    const entries: T[] = [];
    const from = this.position.offset;
    let { count, snapshotBytes, sealed, header } = this.position;
    let pause = from + YIELD_EVERY_BYTES;
    for (const found of linesIn<T>(bytes, from)) {
      const { line, end } = found;
      if (!isValidLine(name, found, count)) continue;
      if (generation === 1) refuseStub(name, line);
      header ??= headerOf(line);
      count += 1;
      if (line.entry !== undefined) entries.push(line.entry);
      if (line.opened === true) snapshotBytes = end;
      if (line.sealed === true) sealed = true;
      if (sealed) break;
      if (end < pause) continue;
      pause = end + YIELD_EVERY_BYTES;
      await yieldToEventLoop();
    }
    this.position = { offset: from + wholeLength(bytes), count, snapshotBytes, sealed, header };
    return entries;
  }

  /**
   * Creates the first generation and writes its header line. Syncs the folder and its parent too, so that the new
   * names are on disk. Returns false if another process was first.
   */
  private async createFirst(): Promise<boolean> {
    if (this.file === null && (await this.generations.newest()) > 0) return false;
    const header = { version: STATE_VERSION, history: await this.getHistoryId() };
    this.file ??= await JournalFile.make(1, this.firstPath);
    if (this.file.generation > 1 || !(await this.write(header))) {
      // Another process created or replaced the file meanwhile. It must be read first.
      await this.close();
      this.file = null;
      return false;
    }
    this.position = { ...this.position, header };
    const folder = path.dirname(this.firstPath);
    await syncPath(folder);
    await syncPath(path.dirname(folder));
    return true;
  }

  /** Seals the file. Returns true also if it is sealed already, right behind all that was read. */
  private async seal(): Promise<boolean> {
    if (this.position.sealed) return true;
    if (!(await this.write({ version: STATE_VERSION, sealed: true }))) return false;
    this.position = { ...this.position, sealed: true };
    return true;
  }

  /** Appends a line behind what has been read. Returns false if the line is not valid. */
  private async write(content: Pick<Line<T>, 'version' | 'history' | 'entry' | 'sealed'>): Promise<boolean> {
    const { file, position } = this;
    if (file === null || !(await file.open())) return false;
    // Refuse a hard link only while no line was read. An interrupted reset leaves a valid journal hard-linked in the
    // archive, and that journal stays in use.
    if (position.header === null) file.refuseHardLink();
    const size = file.size();
    if (size === null || size < position.offset) return false;
    const tail = await file.read(position.offset, size);
    if (tail === null || hasLine(tail, position.offset)) return false;
    const cut = endOfCutOff(tail);
    const at = size + cut.length;
    const line = composeLine<T>({ at, n: position.count, by: this.writer, ...content });
    if (!(await file.append(Buffer.concat([Buffer.from(cut), line]), size))) return false;
    // The file may have been replaced during the append. The line is valid only if a seal follows it: then the
    // next generation includes it.
    const end = at + line.length;
    if (file.size() === null && !hasLine(await file.readBehind(end), end, ({ sealed }) => sealed === true))
      return false;
    this.position = { ...position, offset: end, count: position.count + 1 };
    return true;
  }
}

/** Whether the bytes hold a valid line that matches. */
function hasLine(
  bytes: Buffer,
  from: number,
  matches: (line: Line<unknown>) => boolean = () => true,
): boolean {
  for (const { line, inPlace } of linesIn(bytes, from)) if (inPlace && matches(line)) return true;
  return false;
}

/**
 * Throws if the line is a stub whose newer generation is missing. The stub stays for programs that know no
 * generations; the newest generation is never removed.
 */
function refuseStub(file: string, { n, version = 1, history }: Line<unknown>): void {
  if (n === 0 && version > 1 && history === undefined)
    throw damaged(t('{0} refers to a newer journal file, which does not exist.', file));
}
