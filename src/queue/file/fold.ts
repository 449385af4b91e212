import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, readIfThere, syncFolder, writeBeside } from '../../platform/files';
import { LOG_NAMES } from './seedLogs';

/** SHA-256 in hex. */
export function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Puts `bytes` in the place of a file that is believed to hold `expected`. The file that was there is kept under a
 * spare name until it has been looked at: if somebody saved into it in that instant, what they saved is returned,
 * and the caller must build on it and try again. Null: nobody did.
 */
export async function swap(file: string, bytes: Buffer, expected: Buffer): Promise<Buffer | null> {
  const { mode } = await fs.stat(file);
  const temporary = await writeBeside(file, bytes, mode & 0o777);
  const spare = spareOf(file);
  try {
    await fs.rm(spare, { force: true });
    await fs.link(file, spare);
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
  const replaced = await fs.readFile(spare);
  if (!replaced.equals(expected)) return replaced;
  await fs.rm(spare);
  return null;
}

function spareOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.spare`);
}

/**
 * Clears up after a fold that a crash cut off: temporary files go; a spare that holds neither what the fold was
 * based on nor what is there now was saved by a person in that instant, and is put back.
 */
export async function clearUp(file: string, base: string | null): Promise<void> {
  await removeTemporaries(file);
  const spare = spareOf(file);
  const saved = await readIfThere(spare);
  if (saved === null) return;
  const current = await readIfThere(file);
  const isPersons = digest(saved) !== base && (current === null || !saved.equals(current));
  if (isPersons) await fs.rename(spare, file);
  else await fs.rm(spare, { force: true });
}

async function removeTemporaries(file: string): Promise<void> {
  const prefix = `.${path.basename(file)}.`;
  for (const name of await fs.readdir(path.dirname(file))) {
    if (name.startsWith(prefix) && name.endsWith('.tmp')) {
      await fs.rm(path.join(path.dirname(file), name), { force: true });
    }
  }
}

/** The sizes of the logs now, 0 for one that is not there. */
export async function measureLogs(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of LOG_NAMES) sizes[name] = await sizeOf(path.join(folder, name));
  return sizes;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await fs.stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
