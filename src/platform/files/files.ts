import { randomUUID } from 'node:crypto';
import { constants, type Stats, type StatsBase } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';

/** Mode of files that hold prompts or output, and of the folders around them. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Whether `error` is a system error with that code. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Does what only helps others, and can fail: a disk that takes no file will stop the work itself. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Whether a file belongs to another user than this process. */
export function isOfOtherUser({ uid }: Pick<Stats, 'uid'>): boolean {
  return process.getuid !== undefined && process.getuid() !== uid;
}

/** Refuses a file that has a second name: what is written to it shows up there too. @throws Problem `state-linked` */
export function refuseHardLink(file: string, { nlink }: { readonly nlink: number | bigint }): void {
  if (nlink <= 1) return;
  throw new Problem(
    'state-linked',
    `${file} is a hard link: what is written to it also appears in another file. Check where it came from, then remove it or replace it with a copy.`,
  );
}

/** What kind of file it is, as far as `notAFile` names it. */
type Kind = Pick<StatsBase<unknown>, 'isDirectory' | 'isFIFO' | 'isSocket'>;

/** The problem of something that is not a regular file where one is expected. */
export function notAFile(file: string, kind: Kind): Problem {
  const name = kind.isDirectory()
    ? 'a folder'
    : kind.isFIFO()
      ? 'a named pipe'
      : kind.isSocket()
        ? 'a socket'
        : 'a device';
  return new Problem('not-a-file', `${file} is ${name}, not a regular file. Move it away, then try again.`);
}

/** Far more than any file that this program reads; a sparse file on a small disk can be larger than all memory. */
const LARGEST_BYTES = 500_000_000;

/** Refuses a file that is too large to be read. @throws Problem `not-a-file` */
export function refuseLarge(file: string, size: number | bigint): void {
  if (size <= LARGEST_BYTES) return;
  throw new Problem(
    'not-a-file',
    `${file} has ${size.toLocaleString('en-US')} bytes, and the limit is ${LARGEST_BYTES.toLocaleString('en-US')}. Move it away, then try again.`,
  );
}

/** Opens a file to be read. It never waits for the other end of a pipe. @throws Problem `not-a-file` */
export async function openRegular(file: string): Promise<fs.FileHandle> {
  let handle: fs.FileHandle;
  try {
    handle = await fs.open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    // A socket, or a device that nothing is behind.
    if (hasCode(error, 'ENXIO', 'ENODEV')) throw notAFile(file, await fs.stat(file));
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw notAFile(file, stat);
    refuseLarge(file, stat.size);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The whole file, or null when it is not there. @throws Problem `not-a-file` */
export async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    const handle = await openRegular(file);
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The names in a folder; none when it is not there. */
export async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Creates the folder and those above it; the new ones are the owner's alone. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Writes at the handle's place, or at byte `position`. A short write continues, so that what is written is never
 * silently cut; what is appended in one piece stays in one piece as long as the system takes it so.
 */
export async function writeAll(handle: fs.FileHandle, bytes: Buffer, position?: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const at = position === undefined ? null : position + written;
    written += (await handle.write(bytes, written, bytes.length - written, at)).bytesWritten;
  }
}

/** Waits until the disk has the folder's entries, where the system can do that. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder; the rename is then as durable as they make it.
    if (!hasCode(error, 'EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}

/** Writes a new file beside `file`, on the disk when this returns, and gives its name. */
export async function writeBeside(file: string, bytes: Buffer | string, mode: number): Promise<string> {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    const handle = await fs.open(temporary, 'wx', mode);
    try {
      // Whatever the umask takes away: the file keeps the mode that it had.
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

/** Puts `bytes` in the file's place in one step: a reader sees the old or the new, whole, also after a power cut. */
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
  await syncFolder(path.dirname(file));
}
