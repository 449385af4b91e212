import { rmSync } from 'node:fs';
import { quietly } from '../files/files';
import { STALE_MS, tryTake, type Release } from './lockFolder';
import { LockNotice } from './lockHolder';
import { isWanted, letOthersIn, waitFor } from './lockWaiting';

/** Who comes again so soon keeps the lock for as long: the next step of a burst finds it there. */
const BURST_MS = 3;
const KEPT_MS = 3;

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
  // Whoever asked is told; the next only waits for the end.
}

async function holding<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const isBurst = performance.now() - (givenBackAt.get(lockPath) ?? -Infinity) < BURST_MS;
  const release = await take(lockPath);
  const reporting = new LockNotice(lockPath);
  let isDone = false;
  try {
    const answer = await work();
    isDone = true;
    return answer;
  } finally {
    reporting.end();
    if (isDone && isBurst && !isWanted(lockPath)) keep(lockPath, release);
    else giveBack(lockPath, release);
    givenBackAt.set(lockPath, performance.now());
  }
}

/** When this process last had no more use for a lock. */
const givenBackAt = new Map<string, number>();

/** A lock that is not given back yet: what this process does comes in a burst, or the disk did not let it. */
interface Kept {
  readonly release: Release;
  readonly since: number;
  readonly timer?: NodeJS.Timeout;
}

const kept = new Map<string, Kept>();

/** To take and give back a lock costs as much as what is done under it. Whoever wants it gets it all the same. */
function keep(lockPath: string, release: Release): void {
  const timer = setTimeout(() => {
    kept.delete(lockPath);
    // What cannot be removed is taken over once it is stale; there is nobody here to be told.
    quietly(() => giveBack(lockPath, release));
  }, KEPT_MS);
  kept.set(lockPath, { release, since: performance.now(), timer });
}

/** A lock that cannot be removed is still there when the disk is well again, and still this process's own. */
function giveBack(lockPath: string, release: Release): void {
  try {
    release();
  } catch (error) {
    kept.set(lockPath, {
      release: () => rmSync(lockPath, { recursive: true, force: true }),
      since: performance.now(),
    });
    throw error;
  }
}

async function take(lockPath: string): Promise<Release> {
  const own = kept.get(lockPath);
  const isAsked = isWanted(lockPath);
  if (own !== undefined) {
    kept.delete(lockPath);
    clearTimeout(own.timer);
    // Frozen since, this process may have lost it to a successor, whose lock is not to be touched.
    const isOurs = performance.now() - own.since < STALE_MS / 2;
    if (isOurs && !isAsked) return own.release;
    if (isOurs) giveBack(lockPath, own.release);
  }
  if (isAsked) await letOthersIn(lockPath);
  return tryTake(lockPath) ?? (await waitFor(lockPath));
}
