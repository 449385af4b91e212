import { rmSync } from 'node:fs';
import { STALE_MS, tryTake, type Release } from './lockFolder';
import { LockNotice } from './lockHolder';
import { isWanted, letOthersIn, waitFor } from './lockWaiting';

/**
 * Runs `work` while no other process holds the lock, and returns its result.
 *
 * The lock alone does not guarantee that: a process that was frozen past the stale time wakes up beside its successor.
 * Writes under the lock must detect it, as the journal's lines and the atomic replace of a queue file do.
 * @throws Problem `queue-locked` when another process holds it for longer than a lock may live
 */
export function withLock<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(lockPath);
  const answer = before === undefined ? holding(lockPath, work) : before.then(() => holding(lockPath, work));
  const turn = answer.then(ignore, ignore).then(() => {
    if (turns.get(lockPath) === turn) turns.delete(lockPath);
  });
  turns.set(lockPath, turn);
  return answer;
}

/**
 * Callers in this process that want the same lock run one after another. So none has to find a moment when it is free.
 */
const turns = new Map<string, Promise<void>>();

function ignore(): void {
  // The caller gets the error; the next one only waits for the end.
}

async function holding<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const release = await take(lockPath);
  const notice = new LockNotice(lockPath);
  try {
    return await work();
  } finally {
    notice.end();
    giveBack(lockPath, release);
  }
}

/** Times at which locks could not be removed because of the disk. Each still belongs to this process. */
const leftSince = new Map<string, number>();

/** Releases a lock. One that cannot be removed still belongs to this process when the disk works again. */
function giveBack(lockPath: string, release: Release): void {
  try {
    release();
  } catch (error) {
    leftSince.set(lockPath, performance.now());
    throw error;
  }
}

async function take(lockPath: string): Promise<Release> {
  const since = leftSince.get(lockPath) ?? -Infinity;
  // If this process was frozen since then, a successor may have the lock, which must not be touched.
  if (performance.now() - since < STALE_MS / 2) rmSync(lockPath, { recursive: true, force: true });
  leftSince.delete(lockPath);
  if (isWanted(lockPath)) await letOthersIn(lockPath);
  return tryTake(lockPath) ?? (await waitFor(lockPath));
}
