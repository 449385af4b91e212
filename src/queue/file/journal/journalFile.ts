import { constants, fstatSync, readSync, statSync, writeSync, type BigIntStats } from 'node:fs';
import * as fs from 'node:fs/promises';
import {
  hasCode,
  notAFile,
  PRIVATE_FILE,
  refuseHardLink,
  refuseLarge,
  writeAll,
} from '../../../platform/files/files';

/** As much is read at once without leaving the thread: it costs less than the way there and back. */
const TINY_BYTES = 64 * 1024;

/** A link may have come since the folder was looked through: nothing is written to what it names. */
const APPENDED = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * One file of a journal, by its name and its inode. It is kept open once it has been appended to, and only then: who
 * only looks has nothing to close.
 */
export class JournalFile {
  private handle: fs.FileHandle | null = null;

  private constructor(
    readonly generation: number,
    readonly path: string,
    private readonly inode: bigint,
    /** An inode is given away again once nobody has it open; with this it tells a file from its successor. */
    private readonly bornNs: bigint,
  ) {}

  /** The file that has this name now; null where there is none. @throws Problem `not-a-file` */
  static find(generation: number, path: string): JournalFile | null {
    const stat = look(path);
    if (stat?.isFile() === false) throw notAFile(path, stat);
    refuseLarge(path, stat?.size ?? 0);
    return stat === undefined ? null : new JournalFile(generation, path, stat.ino, stat.birthtimeNs);
  }

  /** Makes the file, unless somebody did, and opens it. */
  static async make(generation: number, path: string): Promise<JournalFile> {
    const handle = await fs.open(path, APPENDED | constants.O_CREAT, PRIVATE_FILE);
    const { ino, birthtimeNs } = await handle.stat({ bigint: true });
    const file = new JournalFile(generation, path, ino, birthtimeNs);
    file.handle = handle;
    return file;
  }

  /** @throws Problem `state-linked` where the file has a second name */
  refuseHardLink(): void {
    refuseHardLink(this.path, look(this.path) ?? { nlink: 1 });
  }

  isSame(other: JournalFile | null): boolean {
    return this.inode === other?.inode && this.bornNs === other.bornNs;
  }

  /** Its size; null where it has its name no more. */
  size(): number | null {
    const stat = look(this.path);
    if (stat?.ino !== this.inode) return null;
    // What is open keeps its inode. Where a file system knows no birth, it may tell of the last change instead.
    return this.handle !== null || stat.birthtimeNs === this.bornNs ? Number(stat.size) : null;
  }

  /** The bytes between two places; null where the file has its name no more. */
  async read(from: number, to: number): Promise<Buffer | null> {
    if (this.handle !== null) return readFrom(this.handle, from, to);
    const handle = await this.openAgain(constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (handle === null) return null;
    try {
      return await readFrom(handle, from, to);
    } finally {
      await handle.close();
    }
  }

  /** Opens it for `append`; false where it has its name no more. */
  async open(): Promise<boolean> {
    this.handle ??= await this.openAgain(APPENDED);
    return this.handle !== null;
  }

  /** Appends bytes, on the disk when this resolves; whether they are at the place where they were meant to. */
  async append(bytes: Buffer, at: number): Promise<boolean> {
    if (this.handle === null) return false;
    await appendAll(this.handle, bytes);
    await this.handle.datasync();
    return (await readFrom(this.handle, at, at + bytes.length)).equals(bytes);
  }

  /** All that is behind a place, while it is open, whatever its name is by now. */
  async readBehind(from: number): Promise<Buffer> {
    return this.handle === null
      ? Buffer.alloc(0)
      : readFrom(this.handle, from, fstatSync(this.handle.fd).size);
  }

  /** Lets go of it until the next call. */
  async close(): Promise<void> {
    const { handle } = this;
    this.handle = null;
    await handle?.close();
  }

  private async openAgain(flags: number): Promise<fs.FileHandle | null> {
    const handle = await openIfThere(this.path, flags);
    if (handle === null) return null;
    const { ino, birthtimeNs } = await handle.stat({ bigint: true });
    if (ino === this.inode && birthtimeNs === this.bornNs) return handle;
    await handle.close();
    return null;
  }
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

async function openIfThere(path: string, flags: number): Promise<fs.FileHandle | null> {
  try {
    return await fs.open(path, flags);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function readFrom(handle: fs.FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  const length =
    bytes.length <= TINY_BYTES
      ? readSync(handle.fd, bytes, 0, bytes.length, from)
      : (await handle.read(bytes, 0, bytes.length, from)).bytesRead;
  return bytes.subarray(0, length);
}

/** What is small is written as it is read: only for the disk others get their turn. */
async function appendAll(handle: fs.FileHandle, bytes: Buffer): Promise<void> {
  if (bytes.length > TINY_BYTES) return writeAll(handle, bytes);
  for (let written = 0; written < bytes.length;) written += writeSync(handle.fd, bytes, written);
}
