import { chmodSync, linkSync, readFileSync, renameSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, readIfThere, statIfThere, syncPath, writeBeside } from '../../../platform/files/files';
import { moveStamped, type FileStamp } from '../../../platform/files/fileStamp';
import { digest, digestLater } from '../journal/digest';

/**
 * Replaces a file by `bytes` if it still holds `expected`. The old file stays under a backup name until it was checked.
 * Returns false if the user saved meanwhile. The user's version is then the file again: build on it and try again.
 *
 * In-place saves are detected, because the backup is the file that they write into. A rename is detected too, except
 * between the check and this program's own rename (microseconds): no system call of Node closes that window. Of two
 * concurrent saves, one into the old file and one over the new file, the later wins.
 * @param onReplaced called with the new file's stamp, or null if the stamp is unreliable
 * @param mayReplace called right before the file is replaced, when the new version is on disk: that may have taken long
 */
export async function replaceIfUnchanged(
  file: string,
  bytes: Buffer,
  expected: Buffer,
  onReplaced: (stamp: FileStamp | null) => void = () => undefined,
  mayReplace: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  const found = await statIfThere(file);
  if (found === null) return false;
  const mode = found.mode & MODE_BITS;
  const name = backupName(file, await digestLater(expected), await digestLater(bytes));
  const backup = path.join(path.dirname(file), name);
  const temporary = await writeBeside(file, bytes, mode);
  try {
    await fs.rm(backup, { force: true });
    if (!(await syncSave(file)) || !(await mayReplace())) return false;
    if (!replaceWithBackup(file, { temporary, mode, backup, expected }, onReplaced)) {
      await fs.rm(backup, { force: true });
      return false;
    }
  } finally {
    await fs.rm(temporary, { force: true });
  }
  await syncPath(path.dirname(file));
  return checkBackup(file, backup, (saved) => Promise.resolve(saved.equals(expected)));
}

/**
 * Waits until the disk has the user's save: a backup that lost it in a power cut would look like a later save. Returns
 * false if the file is gone.
 */
async function syncSave(file: string): Promise<boolean> {
  try {
    await syncPath(file);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Inputs of one replace. */
interface ReplaceRequest {
  /** Path of the new version, which is on disk beside the file. */
  readonly temporary: string;
  /** Mode of the new version. */
  readonly mode: number;
  /** Path of the backup to make. */
  readonly backup: string;
  /** Content that the file is believed to hold. */
  readonly expected: Buffer;
}

/**
 * Cleans up after replaces that a crash interrupted. A version that the user saved meanwhile becomes the file again.
 */
export async function recoverInterruptedReplaces(file: string): Promise<void> {
  const folder = path.dirname(file);
  const prefix = `.${path.basename(file)}.`;
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    // Skip folders and links: an interrupted replace leaves only files.
    if (!entry.isFile() || !name.startsWith(prefix)) continue;
    if (name.endsWith('.tmp')) await fs.rm(path.join(folder, name), { force: true });
    if (name.endsWith('.spare'))
      await checkBackup(file, path.join(folder, name), (saved) => hasDigest(saved, name));
  }
}

const DIGEST_LENGTH = 16;

const MODE_BITS = 0o777;

/** Returns the backup name. It contains both digests, to be compared after a crash. */
function backupName(file: string, expectedDigest: string, newDigest: string): string {
  const digests = [expectedDigest, newDigest].map((one) => one.slice(0, DIGEST_LENGTH));
  return `.${path.basename(file)}.${digests.join('.')}.spare`;
}

/**
 * Replaces the file and keeps a backup. Returns false if another process changed the file meanwhile. Synchronous, to
 * keep the race window short.
 */
function replaceWithBackup(
  file: string,
  { temporary, mode, backup, expected }: ReplaceRequest,
  onReplaced: (stamp: FileStamp | null) => void,
): boolean {
  try {
    linkSync(file, backup);
    const current = statSync(file);
    if (current.ino === statSync(backup).ino) {
      // The owner may have changed the file mode.
      const currentMode = current.mode & MODE_BITS;
      if (currentMode !== mode) chmodSync(temporary, currentMode);
      onReplaced(moveStamped(temporary, file));
      if (readFileSync(backup).equals(expected)) return true;
      // Restore the user's save at once, so that editors read it before they save again.
      renameSync(backup, file);
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return false;
}

/** Checks the backup and removes it, or restores it. Returns false if the user changed it. */
async function checkBackup(
  file: string,
  backup: string,
  isExpected: (saved: Buffer) => Promise<boolean>,
): Promise<boolean> {
  const saved = await readIfThere(backup);
  if (saved === null) return true;
  const changedByUser = !(await isExpected(saved));
  const [, newDigest] = digestsIn(backup);
  if (changedByUser && putBack(file, backup, newDigest)) return false;
  await fs.rm(backup, { force: true });
  return !changedByUser;
}

async function hasDigest(saved: Buffer, backupName: string): Promise<boolean> {
  const [expectedDigest] = digestsIn(backupName);
  return (await digestLater(saved)).slice(0, DIGEST_LENGTH) === expectedDigest;
}

/** Returns the digests of the old and the new content in a backup's name. */
function digestsIn(backup: string): readonly (string | undefined)[] {
  return path.basename(backup).split('.').slice(-3, -1);
}

/** Restores the backup, unless the file changed again; the later save wins. Returns whether it restored it. */
function putBack(file: string, backup: string, newDigest: string | undefined): boolean {
  try {
    if (digest(readFileSync(file)).slice(0, DIGEST_LENGTH) !== newDigest) return false;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return false;
  }
  renameSync(backup, file);
  return true;
}
