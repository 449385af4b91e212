import { chmodSync, linkSync, readFileSync, renameSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, readIfThere, syncFolder, writeBeside } from '../../../platform/files/files';
import { moveStamped, type FileStamp } from '../../../platform/files/fileStamp';
import { digest, digestLater } from '../journal/digest';

/**
 * Replaces a file that is believed to hold `expected` by `bytes`. The old file stays under a backup name until it was
 * checked. Returns false if the user saved in that instant. The user's version is then the file again: build on it
 * and try again.
 *
 * Editors that save in place are noticed, because the backup is the file that they write into. Editors that rename
 * are noticed too, except in the few microseconds between check and rename, which no system call of Node closes. If
 * two save meanwhile, one into the old file and one over the new file, the second counts.
 * @param written receives the stamp of the new file; null if a stamp is not enough to identify it
 */
export async function atomicReplace(
  file: string,
  bytes: Buffer,
  expected: Buffer,
  written: (stamp: FileStamp | null) => void = () => undefined,
): Promise<boolean> {
  const mode = await modeOf(file);
  if (mode === null) return false;
  const name = backupName(file, await digestLater(expected), await digestLater(bytes));
  const backup = path.join(path.dirname(file), name);
  const temporary = await writeBeside(file, bytes, mode);
  try {
    await fs.rm(backup, { force: true });
    if (!replaceKeeping(file, { temporary, mode, backup, expected }, written)) {
      await fs.rm(backup, { force: true });
      return false;
    }
  } finally {
    await fs.rm(temporary, { force: true });
  }
  await syncFolder(path.dirname(file));
  return checkBackup(file, backup, (saved) => Promise.resolve(saved.equals(expected)));
}

/** New version of a file, on disk beside it under a temporary name. */
interface Successor {
  readonly temporary: string;
  readonly mode: number;
  readonly backup: string;
  /** Content that the file is believed to hold. */
  readonly expected: Buffer;
}

/**
 * Cleans up after replacements that a crash interrupted. A version that the user saved in that instant becomes the
 * file again.
 */
export async function clearUp(file: string): Promise<void> {
  const folder = path.dirname(file);
  const prefix = `.${path.basename(file)}.`;
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    // Interrupted replacements leave only files. Other entries of such a name are not this program's.
    if (!entry.isFile() || !name.startsWith(prefix)) continue;
    if (name.endsWith('.tmp')) await fs.rm(path.join(folder, name), { force: true });
    if (name.endsWith('.spare'))
      await checkBackup(file, path.join(folder, name), (saved) => hasDigest(saved, name));
  }
}

const DIGEST_LENGTH = 16;

const MODE_BITS = 0o777;

/** Returns the backup name. It contains digests of the old and the new content, to be compared after a crash. */
function backupName(file: string, base: string, result: string): string {
  return `.${path.basename(file)}.${base.slice(0, DIGEST_LENGTH)}.${result.slice(0, DIGEST_LENGTH)}.spare`;
}

/**
 * Replaces the file and keeps a backup, synchronously, so that another process rarely comes between. Returns false if
 * one did.
 */
function replaceKeeping(
  file: string,
  { temporary, mode, backup, expected }: Successor,
  written: (stamp: FileStamp | null) => void,
): boolean {
  try {
    linkSync(file, backup);
    const current = statSync(file);
    if (current.ino === statSync(backup).ino) {
      // The owner may have changed the file's mode meanwhile.
      const currentMode = current.mode & MODE_BITS;
      if (currentMode !== mode) chmodSync(temporary, currentMode);
      written(moveStamped(temporary, file));
      if (readFileSync(backup).equals(expected)) return true;
      // Restore the saved version at once: an editor that saves next has read it.
      renameSync(backup, file);
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return false;
}

/** Checks the backup and removes it. Returns false if the user had saved it: it is the file again. */
async function checkBackup(
  file: string,
  backup: string,
  isExpected: (saved: Buffer) => Promise<boolean>,
): Promise<boolean> {
  const saved = await readIfThere(backup);
  if (saved === null) return true;
  const isPersons = !(await isExpected(saved));
  const [, result] = digestsIn(backup);
  if (isPersons && putBack(file, backup, result)) return false;
  await fs.rm(backup, { force: true });
  return !isPersons;
}

async function hasDigest(saved: Buffer, backupName: string): Promise<boolean> {
  const [base] = digestsIn(backupName);
  return (await digestLater(saved)).slice(0, DIGEST_LENGTH) === base;
}

/** Returns the digests of the old and the new content in a backup's name. */
function digestsIn(backup: string): readonly (string | undefined)[] {
  return path.basename(backup).split('.').slice(-3, -1);
}

/** Restores a backup, unless the file holds something else by now. That was saved later and counts. */
function putBack(file: string, backup: string, result: string | undefined): boolean {
  try {
    if (digest(readFileSync(file)).slice(0, DIGEST_LENGTH) !== result) return false;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return false;
  }
  renameSync(backup, file);
  return true;
}

async function modeOf(file: string): Promise<number | null> {
  try {
    return (await fs.stat(file)).mode & MODE_BITS;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
