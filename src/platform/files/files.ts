import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, type StatsBase } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { t } from '../text/translate';

/** Mode of files that hold prompts or output, and of the folders around them. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Flags to append with to a file in a folder that others write to. No link is followed: it could lead the text into a file
 * of the user. Nothing waits for the reader of a pipe.
 */
export const APPENDED = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Codes of errors of a disk, a quota or a file that takes no more. */
export const FULL_DISK = ['ENOSPC', 'EDQUOT', 'EFBIG'] as const;

/** Whether `error` is a system error with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Whether the system refused something, for whatever reason. */
export function isOfSystem(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error;
}

/** Runs optional work and ignores its system errors: a broken disk will stop the main work by itself. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isOfSystem(error)) throw error;
  }
}

/** Returns what the system knows of a file; null: it is not there. */
export async function statIfThere(file: string): Promise<Stats | null> {
  try {
    return await fs.stat(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Whether a file belongs to another user than this process. */
export function isOfOtherUser({ uid }: Pick<Stats, 'uid'>): boolean {
  return process.getuid !== undefined && process.getuid() !== uid;
}

/** Refuses a hard link: what is written to it also appears in another file. @throws Problem `state-linked` */
export function refuseHardLink(file: string, { nlink }: { readonly nlink: number | bigint }): void {
  if (nlink <= 1) return;
  throw new Problem(
    'state-linked',
    t(
      '{0} is a hard link: what is written to it also appears in another file. Check where it came from, then remove it or replace it with a copy.',
      file,
    ),
  );
}

/** Types of files that `notAFile` names. */
type Kind = Pick<StatsBase<unknown>, 'isDirectory' | 'isFIFO' | 'isSocket'>;

/** Returns the problem of something that is not a regular file where one is expected. */
export function notAFile(file: string, kind: Kind): Problem {
  return new Problem('not-a-file', describeKind(file, kind));
}

function describeKind(file: string, kind: Kind): string {
  if (kind.isDirectory())
    return t('{0} is a folder, not a regular file. Move it away, then try again.', file);
  if (kind.isFIFO()) return t('{0} is a named pipe, not a regular file. Move it away, then try again.', file);
  if (kind.isSocket()) return t('{0} is a socket, not a regular file. Move it away, then try again.', file);
  return t('{0} is a device, not a regular file. Move it away, then try again.', file);
}

/**
 * Maximum size of a file to read, in bytes: far more than any that this program reads. A sparse file on a small disk
 * can be larger than all memory.
 */
const LARGEST_BYTES = 500_000_000;

/** Refuses a file that is too large to be read. @throws Problem `not-a-file` */
export function refuseLarge(file: string, size: number | bigint): void {
  if (size <= LARGEST_BYTES) return;
  throw new Problem(
    'not-a-file',
    t(
      '{0} has {1} bytes, and the limit is {2}. Move it away, then try again.',
      file,
      size.toLocaleString('en-US'),
      LARGEST_BYTES.toLocaleString('en-US'),
    ),
  );
}

/** Opens for reading, and never waits for the other end of a pipe. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a regular file for reading. @throws Problem `not-a-file` */
export async function openRegular(file: string): Promise<fs.FileHandle> {
  const handle = await refuseDevice(file, () => fs.open(file, READ));
  try {
    refuseIrregular(file, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Returns the whole of a small file; null: it does not exist. It is read at once: in the background, small files take
 * ten times as long. @throws Problem `not-a-file`
 */
export async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    const handle = await refuseDevice(file, () => openSync(file, READ));
    try {
      refuseIrregular(file, fstatSync(handle));
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Refuses what cannot be opened: a socket, or a device file without a device. @throws Problem `not-a-file` */
async function refuseDevice<T>(file: string, open: () => T): Promise<Awaited<T>> {
  try {
    return await open();
  } catch (error) {
    if (hasCode(error, 'ENXIO', 'ENODEV')) throw notAFile(file, await fs.stat(file));
    throw error;
  }
}

function refuseIrregular(file: string, stat: Stats): void {
  if (!stat.isFile()) throw notAFile(file, stat);
  refuseLarge(file, stat.size);
}

/** Returns the names in a folder; none if it does not exist. */
export async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Creates the folder and its parents; only the owner may use the new ones. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Writes all bytes at the handle's position, or at byte `position`. It continues after a short write, so that nothing
 * is silently cut. Appended bytes stay in one piece as long as the system takes them in one piece.
 */
export async function writeAll(handle: fs.FileHandle, bytes: Buffer, position?: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const at = position === undefined ? null : position + written;
    written += (await handle.write(bytes, written, bytes.length - written, at)).bytesWritten;
  }
}

/** Waits until the disk has the bytes of a file or the entries of a folder, where the system can do that. */
export async function syncPath(file: string | Buffer): Promise<void> {
  const handle = await fs.open(file, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder; the rename is then as durable as they make it.
    if (!hasCode(error, 'EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}

/** Writes a new file beside `file` and returns its name. The file is on the disk when this resolves. */
export async function writeBeside(file: string, bytes: Buffer | string, mode: number): Promise<string> {
  // Loaded when it is needed: a window that only shows a queue writes nothing.
  const { randomUUID } = await import('node:crypto');
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    const handle = await fs.open(temporary, 'wx', mode);
    try {
      // Sets the mode regardless of the umask.
      await handle.chmod(mode);
      await writeAll(handle, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
}

/** Replaces the file by `bytes` in one step: a reader sees the old or the new file, whole, also after a power cut. */
export async function replaceDurably(
  file: string,
  bytes: Buffer | string,
  mode = PRIVATE_FILE,
): Promise<void> {
  const temporary = await writeBeside(file, bytes, mode);
  try {
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncPath(path.dirname(file));
}
