import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../domain/problem';
import { quietly } from '../files/files';
import { tryTake, type Release } from './lockFolder';
import { describeHolder } from './lockHolder';

/** How long somebody waits: longer than a lock lives that was left behind. */
const MOST_WAIT_MS = 20_000;

/** Between two tries: a lock is held for less than a millisecond mostly. */
const LEAST_PAUSE_MS = 1;
const MOST_PAUSE_MS = 25;

/** Nobody keeps those who wait in order. Who has waited for this long asks the others to let it in. */
const ASK_AFTER_MS = 30;

/** As long as others who were asked stay back at most: those who wait have tried many times by then. */
const COURTESY_MS = 20;

/** Whether somebody has waited for the lock for long, in any process. */
export function isWanted(lockPath: string): boolean {
  return existsSync(wantedFile(lockPath));
}

/** Stays back until somebody who waited has come in. One that died while it waited does not come. */
export async function letOthersIn(lockPath: string): Promise<void> {
  for (let waited = 0; waited < COURTESY_MS; waited += LEAST_PAUSE_MS) {
    await pause(LEAST_PAUSE_MS);
    if (!isWanted(lockPath)) return;
  }
  quietly(() => rmSync(wantedFile(lockPath), { force: true }));
}

/** Tries until the lock is given. @throws Problem `queue-locked` when it is held for longer than a lock may live */
export async function waitFor(lockPath: string): Promise<Release> {
  const wanted = wantedFile(lockPath);
  for (let waited = 0; waited < MOST_WAIT_MS;) {
    if (waited > ASK_AFTER_MS && !isWanted(lockPath)) quietly(() => writeFileSync(wanted, ''));
    const begun = performance.now();
    await pause(Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + waited / 500));
    waited += performance.now() - begun;
    const release = tryTake(lockPath);
    if (release === null) continue;
    if (waited > ASK_AFTER_MS) quietly(() => rmSync(wanted, { force: true }));
    return release;
  }
  throw new Problem('queue-locked', await describeHolder(lockPath));
}

/** Is there while somebody waits for long. Anyone who comes in takes it away: others who still wait put it there again. */
function wantedFile(lockPath: string): string {
  return `${lockPath}.wanted`;
}
