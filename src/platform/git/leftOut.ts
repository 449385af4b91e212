import { lstat, readdir } from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../domain/time/epoch';
import type { ChangedFiles, LeftOut } from './fileLook';

/** Returns what is left out of a change, with all repositories inside. `submodules` are those in the index. */
export function listLeftOut(
  { gone, unread, repositories }: ChangedFiles,
  submodules: readonly string[],
): LeftOut[] {
  const left = submodules.filter((name) => !gone.includes(name)).map((name) => `${name}/`);
  return [
    ...unread,
    ...[...repositories, ...left].map((name) => ({ path: name, why: 'repository' }) as const),
  ];
}

/** Most files and folders that are looked at in one repository. */
const MOST_ENTRIES = 20_000;

/** Time by which that of a file can be too early: some disks count in steps, and others have a clock of their own. */
const MARGIN_MS = 10_000;

/**
 * Returns these without the repositories in which no file has changed since a time. Their paths are from `top`. Git is not
 * asked: it would run what those repositories configure.
 */
export async function dropUntouched(
  leftOut: readonly LeftOut[],
  top: string,
  since: EpochMs,
  signal: AbortSignal,
): Promise<LeftOut[]> {
  const stays: LeftOut[] = [];
  for (const one of leftOut) {
    const isUntouched =
      one.why === 'repository' && (await isOlder(path.join(top, one.path), since - MARGIN_MS, signal));
    if (!isUntouched) stays.push(one);
  }
  return stays;
}

/**
 * Whether everything in a folder was last changed before a time. A program can set the time of a file's content, but not
 * that of its last change. As elsewhere, what git keeps in `.git` does not count.
 */
async function isOlder(folder: string, time: EpochMs, signal: AbortSignal): Promise<boolean> {
  const files = [folder];
  try {
    // The list grows while it is read.
    for (const file of files) {
      signal.throwIfAborted();
      const found = await lstat(file);
      if (!(found.ctimeMs < time)) return false;
      if (!found.isDirectory()) continue;
      for (const name of await readdir(file)) if (name !== '.git') files.push(path.join(file, name));
      if (files.length > MOST_ENTRIES) return false;
    }
    return true;
  } catch {
    // A file cannot be looked at, or not in time: then nothing is known.
    return false;
  }
}
