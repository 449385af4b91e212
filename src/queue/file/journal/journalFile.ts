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

/**
 * Largest size that is read or written synchronously, in bytes. That costs less than a round trip to another thread.
 */
const TINY_BYTES = 64 * 1024;

/** Flags for appending. Never follows a link: one may have appeared since the folder was checked. */
const APPENDED = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * One file of a journal, identified by name and inode. It stays open only once it was opened for appending: readers
 * have nothing to close.
 */
export class JournalFile {
  private handle: fs.FileHandle | null = null;

  private constructor(
    readonly generation: number,
    readonly path: string,
    private readonly inode: bigint,
    /**
     * Birth time in ns. File systems reuse an inode once nobody has it open; the birth time distinguishes a file from its
     * successor.
     */
    private readonly bornNs: bigint,
  ) {}

  /** Returns the file that has this name now; null if there is none. @throws Problem `not-a-file` */
  static find(generation: number, path: string): JournalFile | null {
    const stat = look(path);
    if (stat?.isFile() === false) throw notAFile(path, stat);
    refuseLarge(path, stat?.size ?? 0);
    return stat === undefined ? null : new JournalFile(generation, path, stat.ino, stat.birthtimeNs);
  }

  /** Opens the file for appending. Creates it if it does not exist. */
  static async make(generation: number, path: string): Promise<JournalFile> {
    const handle = await fs.open(path, APPENDED | constants.O_CREAT, PRIVATE_FILE);
    const { ino, birthtimeNs } = await identify(handle);
    const file = new JournalFile(generation, path, ino, birthtimeNs);
    file.handle = handle;
    return file;
  }

  /** @throws Problem `state-linked` if the file has a second name */
  refuseHardLink(): void {
    refuseHardLink(this.path, look(this.path) ?? { nlink: 1 });
  }

  isSame(other: JournalFile | null): boolean {
    return this.inode === other?.inode && this.bornNs === other.bornNs;
  }

  /** Returns the size in bytes; null if the file lost its name. */
  size(): number | null {
    const stat = look(this.path);
    if (stat?.ino !== this.inode) return null;
    // An open file keeps its inode. File systems without a birth time may report the last change instead.
    return this.handle !== null || stat.birthtimeNs === this.bornNs ? Number(stat.size) : null;
  }

  /** Returns the bytes between two offsets; null if the file lost its name. */
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

  /** Opens the file for `append`. Returns false if it lost its name. */
  async open(): Promise<boolean> {
    this.handle ??= await this.openAgain(APPENDED);
    return this.handle !== null;
  }

  /** Appends bytes, synced to disk when this resolves. Returns whether they are at offset `at`. */
  async append(bytes: Buffer, at: number): Promise<boolean> {
    if (this.handle === null) return false;
    await appendAll(this.handle, bytes);
    await this.handle.datasync();
    return (await readFrom(this.handle, at, at + bytes.length)).equals(bytes);
  }

  /** Returns all bytes from an offset on, whatever the file's name is by now. Empty if the file is not open. */
  async readBehind(from: number): Promise<Buffer> {
    return this.handle === null
      ? Buffer.alloc(0)
      : readFrom(this.handle, from, fstatSync(this.handle.fd).size);
  }

  /** Closes the file until the next call. */
  async close(): Promise<void> {
    const { handle } = this;
    this.handle = null;
    await handle?.close();
  }

  private async openAgain(flags: number): Promise<fs.FileHandle | null> {
    const handle = await openIfThere(this.path, flags);
    if (handle === null) return null;
    const { ino, birthtimeNs } = await identify(handle);
    if (ino === this.inode && birthtimeNs === this.bornNs) return handle;
    await handle.close();
    return null;
  }
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Returns the metadata of an open file. Closes it if there is none. */
async function identify(handle: fs.FileHandle): Promise<BigIntStats> {
  try {
    return await handle.stat({ bigint: true });
  } catch (error) {
    await handle.close();
    throw error;
  }
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

/** Writes small data synchronously, as `readFrom` reads it. Only the sync to disk yields to the event loop. */
async function appendAll(handle: fs.FileHandle, bytes: Buffer): Promise<void> {
  if (bytes.length > TINY_BYTES) return writeAll(handle, bytes);
  for (let written = 0; written < bytes.length;) written += writeSync(handle.fd, bytes, written);
}
