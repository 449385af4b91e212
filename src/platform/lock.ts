import * as fs from 'node:fs/promises';
import { lock } from 'proper-lockfile';
import { Problem } from '../domain/problem';
import { hasCode, PRIVATE_FILE } from './files';
import { systemProcesses } from './processes';

/** After this long without a sign of life a lock counts as left behind. */
const STALE_MS = 10_000;

/** Short steps at first, since a lock is held for milliseconds; in all longer than a stale lock lives. */
const RETRIES = { retries: 150, factor: 1.15, minTimeout: 4, maxTimeout: 120, randomize: true };

/**
 * Runs `work` while no other process does, and gives what it gives.
 *
 * The lock alone does not make an owner: one that was frozen past the stale time wakes up beside its successor.
 * What is written under it must be able to tell (as the journal's lines do, and the swap of a queue file).
 * @throws Problem `queue-locked` when another process holds it for longer than a lock may live
 */
export async function withLock<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const release = await take(lockPath);
  try {
    await fs.writeFile(holderFile(lockPath), JSON.stringify(systemProcesses.self()), { mode: PRIVATE_FILE });
    return await work();
  } finally {
    await release();
  }
}

/** Who holds the lock stands beside it: the lock itself is a folder that must stay empty. */
function holderFile(lockPath: string): string {
  return `${lockPath}.holder`;
}

async function take(lockPath: string): Promise<() => Promise<void>> {
  let compromised = false;
  try {
    const release = await lock(lockPath, {
      lockfilePath: lockPath,
      stale: STALE_MS,
      retries: RETRIES,
      realpath: false,
      // Taken over by a successor, who will see what this owner still writes for what it is.
      onCompromised: () => {
        compromised = true;
      },
    });
    return async () => {
      if (!compromised) await releaseQuietly(release);
    };
  } catch (error) {
    if (!hasCode(error, 'ELOCKED')) throw error;
    throw new Problem('queue-locked', await describeHolder(lockPath), { cause: error });
  }
}

async function releaseQuietly(release: () => Promise<void>): Promise<void> {
  try {
    await release();
  } catch (error) {
    // Taken over between the last sign of life and now: the successor's lock is not ours to remove.
    if (!hasCode(error, 'ENOTACQUIRED', 'ERELEASED')) throw error;
  }
}

async function describeHolder(lockPath: string): Promise<string> {
  let holder = 'unknown';
  try {
    holder = await fs.readFile(holderFile(lockPath), 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return (
    `${lockPath} is held by another process (${holder}) and has been for longer than it should.\n` +
    'If that process is gone, remove the folder; if it hangs, end it.'
  );
}
