import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import {
  hasCode,
  listNames,
  makePrivateFolder,
  PRIVATE_FILE,
  replaceDurably,
  syncPath,
  writeAll,
} from '../../../platform/files/files';
import { STATE_NAMES } from '../../queuePaths';
import { JournalFile } from './journalFile';
import { composeLine, type Line, STATE_VERSION } from './journalLine';

/** First lines of a generation that is not published yet. */
export interface Draft {
  readonly file: string;
  readonly size: number;
  readonly count: number;
}

/** Opening of a generation. */
export interface Opening<T> {
  /** Id of the writer. */
  readonly by: string;
  /** The id of the queue's history. */
  readonly history: string;
  readonly entries: Iterable<T>;
}

/** Size up to which the first generation may be a stub, in bytes. A generation of this size has no events. */
const LONGEST_STUB_BYTES = 128;

/** Bytes collected before they are written. */
const PIECE_BYTES = 256 * 1024;

/** Whether a file of this name in a state folder belongs to the journal. */
export function isJournalName(name: string): boolean {
  const { journal } = STATE_NAMES;
  return generationOf(journal, name) !== null || isDraftName(journal, name);
}

/**
 * The files of a journal: `journal`, `journal.2`, `journal.3` and so on. The highest number is current.
 * No number is used twice. A process that was suspended while it made or removed a generation therefore does no harm
 * when it continues. `journal` itself stays as a stub, which keeps older programs from starting a new history.
 */
export class Generations {
  private readonly folder: string;
  private readonly base: string;

  /** @param archive folder for generations that were replaced */
  constructor(
    first: string,
    private readonly archive: string,
  ) {
    this.folder = path.dirname(first);
    this.base = path.basename(first);
  }

  /** Returns the path of a generation, whether it exists or not. */
  fileOf(generation: number): string {
    return path.join(this.folder, generation === 1 ? this.base : `${this.base}.${String(generation)}`);
  }

  /** Returns the highest generation; 0 if there is none. */
  async newest(): Promise<number> {
    const numbers = (await this.names()).map((name) => generationOf(this.base, name) ?? 0);
    return Math.max(0, ...numbers);
  }

  /** Returns the file of the highest generation; null if there is none. */
  async find(): Promise<JournalFile | null> {
    for (;;) {
      const generation = await this.newest();
      if (generation === 0) return null;
      const file = JournalFile.find(generation, this.fileOf(generation));
      // The file may be a stub by now, or may have been removed: a newer generation was published. Check again.
      if (file !== null && (await this.newest()) === generation) return file;
    }
  }

  /**
   * Writes the opening of a generation to a draft, synced to disk when this resolves. Readers ignore files of its
   * name.
   */
  async draft<T>(generation: number, opening: Opening<T>): Promise<Draft> {
    const file = path.join(this.folder, `.${path.basename(this.fileOf(generation))}.${randomUUID()}.tmp`);
    const handle = await fs.open(file, 'wx', PRIVATE_FILE);
    try {
      const end = await writeOpening(handle, opening);
      await handle.sync();
      return { file, ...end };
    } catch (error) {
      await fs.rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  }

  /** Publishes a draft. Returns false if that generation exists, or another process has removed the draft. */
  async publish(draft: Draft, generation: number): Promise<boolean> {
    try {
      await fs.link(draft.file, this.fileOf(generation));
    } catch (error) {
      if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
      throw error;
    }
    await syncPath(this.folder);
    return true;
  }

  /** Removes a draft, published or not. */
  async discard(draft: Draft): Promise<void> {
    await fs.rm(draft.file, { force: true });
  }

  /**
   * Moves the generations below the highest to the archive, each in one step, and replaces the first one by a stub. Removes
   * all drafts.
   */
  async clearUp(by: string): Promise<void> {
    const newest = await this.newest();
    if (newest <= 1) return;
    await makePrivateFolder(this.archive);
    try {
      await this.archiveFirst();
      await replaceDurably(this.fileOf(1), composeLine({ at: 0, n: 0, by, version: STATE_VERSION }));
    } catch (error) {
      // Another process is clearing up and writes its own stub.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
    for (const name of await this.names()) {
      const generation = generationOf(this.base, name);
      const file = path.join(this.folder, name);
      if (isDraftName(this.base, name)) await fs.rm(file, { force: true });
      else if (generation !== null && generation > 1 && generation < newest) await this.moveToArchive(file);
    }
    await syncPath(this.archive);
  }

  /** Gives the first generation a second name in the archive. Its own becomes a stub's. */
  private async archiveFirst(): Promise<void> {
    const first = this.fileOf(1);
    const found = await fs.stat(first);
    if (found.size <= LONGEST_STUB_BYTES) return;
    await this.setAsideOther(first, found);
    try {
      await fs.link(first, path.join(this.archive, this.base));
    } catch (error) {
      // A crash came between the link and the stub.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }

  /**
   * Renames an archived generation of another history that has the name of this file, so that nothing is lost. Processes
   * that archive the same file at the same time leave it.
   */
  private async setAsideOther(file: string, { ino }: Stats): Promise<void> {
    const archived = path.join(this.archive, path.basename(file));
    try {
      if ((await fs.stat(archived)).ino !== ino)
        await fs.rename(archived, `${archived}.${randomUUID().slice(0, 8)}`);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  private async moveToArchive(file: string): Promise<void> {
    try {
      await this.setAsideOther(file, await fs.stat(file));
      await fs.rename(file, path.join(this.archive, path.basename(file)));
    } catch (error) {
      // Another process is clearing up and has moved it.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  /** Removes drafts that a crash left. A suspended writer finds its draft removed and starts over. */
  async clearDrafts(): Promise<void> {
    for (const name of await this.names())
      if (isDraftName(this.base, name)) await fs.rm(path.join(this.folder, name), { force: true });
  }

  private names(): Promise<readonly string[]> {
    return listNames(this.folder);
  }
}

/** Returns the generation of a file with this name, where `base` is the first one's; null: it is none. */
export function generationOf(base: string, name: string): number | null {
  if (name === base) return 1;
  if (!name.startsWith(`${base}.`)) return null;
  const number = name.slice(base.length + 1);
  return /^[1-9]\d{0,14}$/.test(number) && number !== '1' ? Number(number) : null;
}

function isDraftName(base: string, name: string): boolean {
  return name.startsWith(`.${base}.`) && name.endsWith('.tmp');
}

/** Writes the header, the entries and the line that ends the opening. */
async function writeOpening<T>(
  handle: fs.FileHandle,
  { by, history, entries }: Opening<T>,
): Promise<{ size: number; count: number }> {
  let size = 0;
  let count = 0;
  let collected: Buffer[] = [];
  const add = (content: Partial<Line<T>>): number => {
    const bytes = composeLine<T>({ at: size, n: count, by, ...content });
    collected.push(bytes);
    size += bytes.length;
    count += 1;
    return bytes.length;
  };
  add({ version: STATE_VERSION, history });
  let waiting = 0;
  for (const entry of entries) {
    waiting += add({ entry });
    if (waiting < PIECE_BYTES) continue;
    await writeAll(handle, Buffer.concat(collected));
    collected = [];
    waiting = 0;
  }
  add({ opened: true });
  await writeAll(handle, Buffer.concat(collected));
  return { size, count };
}
