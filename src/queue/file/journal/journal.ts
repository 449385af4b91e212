import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { syncFolder } from '../../../platform/files/files';
import { Generations } from './generations';
import { JournalFile } from './journalFile';
import {
  composeLine,
  countsAs,
  damaged,
  endOfCutOff,
  headerOf,
  type JournalHeader,
  type Line,
  linesIn,
  STATE_VERSION,
  wholeLength,
} from './journalLine';

/** After as many bytes the rest of the program gets its turn. */
const YIELD_AFTER_BYTES = 256 * 1024;

/** What one reading of a journal found. */
export interface Reading<T> {
  /** The journal is another one than before, and the entries are all there are. */
  readonly restarted: boolean;
  readonly entries: readonly T[];
}

/** How much of a file has been read. */
interface Position {
  /** Everything before it. */
  readonly offset: number;
  /** As many lines that count. */
  readonly count: number;
  /** As many of the bytes are what the generation opens with. */
  readonly opening: number;
  readonly sealed: boolean;
  /** Null before the first line was read. */
  readonly header: JournalHeader | null;
}

const NOTHING: Position = { offset: 0, count: 0, opening: 0, sealed: false, header: null };

/**
 * An append-only file of entries, shared by processes.
 *
 * A line says at which byte it was meant to be, and counts only if it is there. So a writer who decided on
 * an old end of the file, because it was frozen while its lock was taken over, writes a line that nobody counts,
 * and finds out by looking whether its own line is at its place. The lock only keeps writers from wasting
 * work; the order and the exclusion come from the file itself.
 *
 * `rollOver` replaces the file by a new generation of it, which opens with what the old one adds up to. The old one is
 * sealed first, by a line like any other: what is behind the seal counts for nobody, so that what was read up to
 * there is all there is, no matter who puts the next generation in force.
 */
export class Journal<T> {
  private readonly generations: Generations;
  /** The generation in force when it was last looked; null where there was none. */
  private file: JournalFile | null = null;
  private position = NOTHING;
  private readonly writer = randomUUID().slice(0, 8);

  /**
   * @param firstPath the file of its first generation
   * @param getHistoryId gives the id of the history, which each new generation names
   */
  constructor(
    private readonly firstPath: string,
    private readonly getHistoryId: () => Promise<string>,
  ) {
    this.generations = new Generations(firstPath);
  }

  /** Bytes of the file that have been read or written. */
  get size(): number {
    return this.position.offset;
  }

  /** As many of them are what the generation opens with. */
  get openingSize(): number {
    return this.position.opening;
  }

  /** The first line of the generation in force; null where none was read. */
  get header(): JournalHeader | null {
    return this.position.header;
  }

  /** Whether the file ends with a seal, and the next generation is still to be put in force. */
  get isSealed(): boolean {
    return this.position.sealed;
  }

  /** Whether what was read is in force no more. */
  get isReplaced(): boolean {
    return this.position.offset > 0 && !this.isInPlace();
  }

  /** Where the generation in force is; null where there is none. */
  get path(): string | null {
    return this.file?.path ?? null;
  }

  /**
   * The entries since the last call.
   * @throws Problem `state-newer`, `state-damaged`
   */
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
   * Appends an entry behind all that has been read, on the disk when this returns true. False: another writer was
   * there first, or the journal was archived or sealed; nothing has happened, read again.
   */
  async append(entry: T): Promise<boolean> {
    if (this.position.sealed) return false;
    if (this.position.offset > 0 || (await this.createFirst())) return this.write({ entry });
    return false;
  }

  /**
   * Replaces the file by a generation that opens with these entries, and has been read when this returns true. False:
   * another writer was there first, and what was sealed may have to be succeeded again; read again.
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
    // Frozen since, this process may be late: others are further.
    if (this.file.generation !== generation) return false;
    const header = { version: STATE_VERSION, history };
    this.position = { offset: draft.size, count: draft.count, opening: draft.size, sealed: false, header };
    return true;
  }

  /** Takes away what a crash left. Only under the lock. */
  clearUp(): Promise<void> {
    return this.generations.clearDrafts();
  }

  /** Lets the next read start from the start. */
  rewind(): void {
    this.position = NOTHING;
  }

  /** Lets go of the file until the next call; what was read stays read. */
  async close(): Promise<void> {
    await this.file?.close();
  }

  /** Turns to the newest generation; true where that is not what was read. */
  private async switchToNewest(): Promise<boolean> {
    const before = this.file;
    const found = await this.generations.find();
    if (before !== null && before.isSame(found) && this.isInPlace()) return false;
    await before?.close();
    this.file = found;
    this.rewind();
    return before !== null;
  }

  /** Whether the file still has its name, and has not been cut off. */
  private isInPlace(): boolean {
    const size = this.file?.size() ?? null;
    return size !== null && size >= this.position.offset;
  }

  /** Takes what was appended since the last reading; null where it was archived in that moment. */
  private async readTail(): Promise<T[] | null> {
    const { file } = this;
    const { offset, sealed } = this.position;
    if (file === null || sealed) return [];
    const size = file.size();
    if (size === offset) return [];
    const bytes = size === null ? null : await file.read(offset, size);
    return bytes === null ? null : this.take(file, bytes);
  }

  /** Takes the whole lines, up to a seal. */
  private async take({ generation, path: name }: JournalFile, bytes: Buffer): Promise<T[]> {
    const entries: T[] = [];
    const from = this.position.offset;
    let { count, opening, sealed, header } = this.position;
    let pause = from + YIELD_AFTER_BYTES;
    for (const found of linesIn<T>(bytes, from)) {
      const { line, end } = found;
      if (!countsAs(name, found, count)) continue;
      if (generation === 1) refuseStub(name, line);
      header ??= headerOf(line);
      count += 1;
      if (line.entry !== undefined) entries.push(line.entry);
      if (line.opened === true) opening = end;
      if (line.sealed === true) sealed = true;
      if (sealed) break;
      if (end < pause) continue;
      pause = end + YIELD_AFTER_BYTES;
      await yieldToEventLoop();
    }
    this.position = { offset: from + wholeLength(bytes), count, opening, sealed, header };
    return entries;
  }

  /** Makes the first generation and writes the format's line; a new file's name must be on the disk too, and its folder's. */
  private async createFirst(): Promise<boolean> {
    if (this.file === null && (await this.generations.newest()) > 0) return false;
    const header = { version: STATE_VERSION, history: await this.getHistoryId() };
    this.file ??= await JournalFile.make(1, this.firstPath);
    if (this.file.generation > 1 || !(await this.write(header))) {
      // What is there has not been read: it may have been started, or replaced, since there was nothing.
      await this.close();
      this.file = null;
      return false;
    }
    this.position = { ...this.position, header };
    const folder = path.dirname(this.firstPath);
    await syncFolder(folder);
    await syncFolder(path.dirname(folder));
    return true;
  }

  /** Ends the file; true also where it has been ended already, behind all that was read. */
  private async seal(): Promise<boolean> {
    if (this.position.sealed) return true;
    if (!(await this.write({ version: STATE_VERSION, sealed: true }))) return false;
    this.position = { ...this.position, sealed: true };
    return true;
  }

  /** Writes a line behind what has been read; false if it does not count. */
  private async write(content: Pick<Line<T>, 'version' | 'history' | 'entry' | 'sealed'>): Promise<boolean> {
    const { file, position } = this;
    if (file === null || !(await file.open())) return false;
    // Only while nothing counts in it: a reset that was cut off leaves a journal that is in the archive too.
    if (position.header === null) file.refuseHardLink();
    const size = file.size();
    if (size === null || size < position.offset) return false;
    const tail = await file.read(position.offset, size);
    if (tail === null || hasLine(tail, position.offset)) return false;
    const cut = endOfCutOff(tail);
    const at = size + cut.length;
    const line = composeLine<T>({ at, n: position.count, by: this.writer, ...content });
    if (!(await file.append(Buffer.concat([Buffer.from(cut), line]), size))) return false;
    // Frozen since: a seal behind the line was set by somebody who had read it, and what they made of it counts.
    const end = at + line.length;
    if (file.size() === null && !hasLine(await file.readBehind(end), end, ({ sealed }) => sealed === true))
      return false;
    this.position = { ...position, offset: end, count: position.count + 1 };
    return true;
  }
}

/** Whether such a line is at its place there. */
function hasLine(bytes: Buffer, from: number, isIt: (line: Line<unknown>) => boolean = () => true): boolean {
  for (const { line, inPlace } of linesIn(bytes, from)) if (inPlace && isIt(line)) return true;
  return false;
}

/** The stub stays for programs that know no generations; the newest one is never taken away. */
function refuseStub(file: string, { n, version = 1, history }: Line<unknown>): void {
  if (n === 0 && version > 1 && history === undefined)
    throw damaged(file, 'refers to a newer journal file, which does not exist');
}
