import { mkdirSync, realpathSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { lockSync } from 'proper-lockfile';
import { Problem } from '../../domain/problem';
import { hasCode, quietly } from '../files/files';
import { t } from '../text/translate';

/** Time without a sign of life after which a lock counts as abandoned. */
export const STALE_MS = 10_000;

/** Releases a lock. */
export type Release = () => void;

/**
 * Takes the lock and returns its release; null: it is held. Synchronous: a detour through other threads takes longer
 * than all of it. @throws Problem `queue-locked`
 */
export function tryTake(lockPath: string): Release | null {
  let compromised = false;
  try {
    const release = lockSync(lockPath, {
      lockfilePath: lockPath,
      stale: STALE_MS,
      realpath: false,
      fs: LOCK_CALLS,
      // Taken over by a successor, which recognizes what this owner still writes.
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

/** Removes a lock with a time in the future: abandoned before the clock was set back, it would never become stale. */
function clearFromFuture(lockPath: string): void {
  const stat = statSync(lockPath, { throwIfNoEntry: false });
  if (stat !== undefined && stat.mtimeMs > Date.now() + STALE_MS) rmdirSync(lockPath);
}

/** Whether this process was frozen between making the lock and marking it, for so long that it was cleared away. */
function isTakenOver(error: unknown): boolean {
  return hasCode(error, 'ENOENT') && !isOfCall(error, 'mkdir');
}

/** Calls of the file system that the lock uses. */
const LOCK_CALLS = {
  mkdirSync: (folder: string) => mkdirSync(folder),
  rmdirSync: (folder: string) => rmdirSync(folder),
  statSync: (folder: string) => statSync(folder),
  utimesSync: (folder: string, atime: Date, mtime: Date) => utimesSync(folder, atime, mtime),
  realpathSync: (folder: string) => realpathSync(folder),
};

/** Whether the lock is not an empty folder. This program never creates anything else there. */
function isObstructed(error: unknown): boolean {
  return hasCode(error, 'ENOTEMPTY', 'ENOTDIR') || (hasCode(error, 'EEXIST') && isOfCall(error, 'rmdir'));
}

function obstructed(lockPath: string, cause: unknown): Problem {
  return new Problem(
    'queue-locked',
    t(
      '{0} is the lock of this program and must be an empty folder. Remove it with its contents, then try again.',
      lockPath,
    ),
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
