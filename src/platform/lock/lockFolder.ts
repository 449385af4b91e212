import { mkdirSync, realpathSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { lockSync } from 'proper-lockfile';
import { Problem } from '../../domain/problem';
import { hasCode, quietly } from '../files/files';

/** After this long without a sign of life a lock counts as left behind. */
export const STALE_MS = 10_000;

/** Gives a lock back. */
export type Release = () => void;

/** What gives the lock back; null where somebody holds it. Without a detour through other threads, which takes longer than it all. */
export function tryTake(lockPath: string): Release | null {
  let compromised = false;
  try {
    const release = lockSync(lockPath, {
      lockfilePath: lockPath,
      stale: STALE_MS,
      realpath: false,
      fs: LOCK_CALLS,
      // Taken over by a successor, who will see what this owner still writes for what it is.
      onCompromised: () => {
        compromised = true;
      },
    });
    return () => {
      if (!compromised) releaseQuietly(lockPath, release);
    };
  } catch (error) {
    if (isObstructed(error)) throw obstructed(lockPath, error);
    if (!hasCode(error, 'ELOCKED') && !isTakenOver(error)) throw error;
    quietly(() => clearFromFuture(lockPath));
    return null;
  }
}

/** A lock that was left behind before the clock was set back would never grow stale. */
function clearFromFuture(lockPath: string): void {
  const stat = statSync(lockPath, { throwIfNoEntry: false });
  if (stat !== undefined && stat.mtimeMs > Date.now() + STALE_MS) rmdirSync(lockPath);
}

/** Whether this process was frozen between making the lock and marking it, for so long that it was cleared away. */
function isTakenOver(error: unknown): boolean {
  return hasCode(error, 'ENOENT') && !isOfCall(error, 'mkdir');
}

/** What the lock is made of. */
const LOCK_CALLS = {
  mkdirSync: (folder: string) => mkdirSync(folder),
  rmdirSync: (folder: string) => rmdirSync(folder),
  statSync: (folder: string) => statSync(folder),
  utimesSync: (folder: string, atime: Date, mtime: Date) => utimesSync(folder, atime, mtime),
  realpathSync: (folder: string) => realpathSync(folder),
};

/** Whether the lock is no empty folder: something that this program never puts there. */
function isObstructed(error: unknown): boolean {
  return hasCode(error, 'ENOTEMPTY', 'ENOTDIR') || (hasCode(error, 'EEXIST') && isOfCall(error, 'rmdir'));
}

function obstructed(lockPath: string, cause: unknown): Problem {
  return new Problem(
    'queue-locked',
    `${lockPath} is the lock of this program and must be an empty folder. Remove it with its contents, then try again.`,
    { cause },
  );
}

function isOfCall(error: unknown, call: string): boolean {
  return (error as NodeJS.ErrnoException).syscall === call;
}

function releaseQuietly(lockPath: string, release: Release): void {
  try {
    release();
  } catch (error) {
    if (isObstructed(error)) throw obstructed(lockPath, error);
    // Taken over between the last sign of life and now: the successor's lock is not ours to remove.
    if (!hasCode(error, 'ENOTACQUIRED', 'ERELEASED')) throw error;
  }
}
