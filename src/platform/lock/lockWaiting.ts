import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../domain/problem';
import { quietly } from '../files/files';
import { tryTake, type Release } from './lockFolder';
import { describeHolder } from './lockHolder';

/** Maximum wait for a lock: longer than an abandoned lock lives. */
const MOST_WAIT_MS = 20_000;

/** Pauses between two tries: mostly a lock is held for less than a millisecond. */
const LEAST_PAUSE_MS = 1;
const MOST_PAUSE_MS = 25;

/** Wait after which a process asks the others to let it in. Waiting processes are in no order otherwise. */
const ASK_AFTER_MS = 30;

/** Maximum time for which a process lets others in. Those that wait have tried many times by then. */
const COURTESY_MS = 20;

/** Whether a caller in any process has waited long for the lock. */
export function isWanted(lockPath: string): boolean {
  return existsSync(wantedFile(lockPath));
}

/** Waits until a waiting process has taken the lock, or `COURTESY_MS` have passed: that process may have died. */
export async function letOthersIn(lockPath: string): Promise<void> {
  for (let waited = 0; waited < COURTESY_MS; waited += LEAST_PAUSE_MS) {
    await pause(LEAST_PAUSE_MS);
    if (!isWanted(lockPath)) return;
  }
  quietly(() => rmSync(wantedFile(lockPath), { force: true }));
}

/**
 * Waits for the lock and returns its release. @throws Problem `queue-locked` when it is held for longer than a lock may
 * live
 */
export async function waitFor(lockPath: string): Promise<Release> {
  const wanted = wantedFile(lockPath);
  for (let waited = 0; waited < MOST_WAIT_MS;) {
    if (waited > ASK_AFTER_MS && !isWanted(lockPath)) quietly(() => writeFileSync(wanted, ''));
    const startedAt = performance.now();
    await pause(Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + waited / 500));
    waited += performance.now() - startedAt;
    const release = tryTake(lockPath);
    if (release === null) continue;
    if (waited > ASK_AFTER_MS) quietly(() => rmSync(wanted, { force: true }));
    return release;
  }
  throw new Problem('queue-locked', await describeHolder(lockPath));
}

/**
 * Returns the file that exists while a process waits for long. The next one that takes the lock removes it; others that
 * still wait create it again.
 */
function wantedFile(lockPath: string): string {
  return `${lockPath}.wanted`;
}
