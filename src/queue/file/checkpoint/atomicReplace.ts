import { chmodSync, linkSync, readFileSync, renameSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, readIfThere, syncFolder, writeBeside } from '../../../platform/files/files';
import { moveStamped, type FileStamp } from '../../../platform/files/fileStamp';
import { digest, digestLater } from '../journal/digest';

/**
 * Puts `bytes` in the place of a file that is believed to hold `expected`. The file that was there is kept under a
 * spare name until it has been looked at. False: somebody saved in that instant; what they saved is the file
 * again, and the caller must build on it and try again.
 *
 * Editors that save in place are noticed, since the spare is the file that they write into. One that renames is noticed
 * too, but for the few microseconds between the look and the rename, which no system call of Node closes. Of two who
 * save while it is replaced, one into the old file and one over the new one, the second counts.
 * @param written is told the stamp of the new file, where that is enough to know it by
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

/** What a file is to become, beside it and on the disk: it lacks only the name. */
interface Successor {
  readonly temporary: string;
  readonly mode: number;
  readonly backup: string;
  /** What the file is believed to hold. */
  readonly expected: Buffer;
}

/** Clears up after swaps that a crash cut off: what the user saved in that instant becomes the file again. */
export async function clearUp(file: string): Promise<void> {
  const folder = path.dirname(file);
  const prefix = `.${path.basename(file)}.`;
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    // A swap leaves files: what else has such a name is not its own.
    if (!entry.isFile() || !name.startsWith(prefix)) continue;
    if (name.endsWith('.tmp')) await fs.rm(path.join(folder, name), { force: true });
    if (name.endsWith('.spare'))
      await checkBackup(file, path.join(folder, name), (saved) => hasDigest(saved, name));
  }
}

const DIGEST_LENGTH = 16;

const MODE_BITS = 0o777;

/** Says what the file held and what it was to hold, so that anyone who finds it after a crash can tell what happened. */
function backupName(file: string, base: string, result: string): string {
  return `.${path.basename(file)}.${base.slice(0, DIGEST_LENGTH)}.${result.slice(0, DIGEST_LENGTH)}.spare`;
}

/** Without a pause between the steps, so that hardly anybody comes between; false when somebody did. */
function replaceKeeping(
  file: string,
  { temporary, mode, backup, expected }: Successor,
  written: (stamp: FileStamp | null) => void,
): boolean {
  try {
    linkSync(file, backup);
    const current = statSync(file);
    if (current.ino === statSync(backup).ino) {
      // Its owner may have made it another one's to read since.
      const currentMode = current.mode & MODE_BITS;
      if (currentMode !== mode) chmodSync(temporary, currentMode);
      written(moveStamped(temporary, file));
      if (readFileSync(backup).equals(expected)) return true;
      // What was saved before is the file again at once: anyone who saves next has read it.
      renameSync(backup, file);
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return false;
}

/** Looks at what a swap replaced, and removes it. False: the user had saved it, and it is the file again. */
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

/** What a spare's name says that the file held, and was to hold. */
function digestsIn(backup: string): readonly (string | undefined)[] {
  return path.basename(backup).split('.').slice(-3, -1);
}

/** Unless the file holds something else by now: that was saved later, and counts. */
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
