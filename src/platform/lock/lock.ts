import { rmSync } from 'node:fs';
import { STALE_MS, tryTake, type Release } from './lockFolder';
import { LockNotice } from './lockHolder';
import { isWanted, letOthersIn, waitFor } from './lockWaiting';

/**
 * Runs `work` while no other process does, and gives what it gives.
 *
 * The lock alone does not make an owner: one that was frozen past the stale time wakes up beside its successor.
 * What is written under it must be able to tell (as the journal's lines do, and the swap of a queue file).
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

/** Those of this process who want the same lock go one after another: none has to meet a moment when it is free. */
const turns = new Map<string, Promise<void>>();

function ignore(): void {
  // The caller is notified; the next only waits for the end.
}

async function holding<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const release = await take(lockPath);
  const reporting = new LockNotice(lockPath);
  try {
    return await work();
  } finally {
    reporting.end();
    giveBack(lockPath, release);
  }
}

/** Since when a lock is this process's own only because the disk did not let it be removed. */
const leftSince = new Map<string, number>();

/** A lock that cannot be removed is still there when the disk is well again, and still this process's own. */
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
  // Frozen since, this process may have lost it to a successor, whose lock is not to be touched.
  if (performance.now() - since < STALE_MS / 2) rmSync(lockPath, { recursive: true, force: true });
  leftSince.delete(lockPath);
  if (isWanted(lockPath)) await letOthersIn(lockPath);
  return tryTake(lockPath) ?? (await waitFor(lockPath));
}
