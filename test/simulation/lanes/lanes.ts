import { fork } from 'node:child_process';
import * as path from 'node:path';
import type { Coverage } from '../audit/coverage';
import type { Given } from '../play/history';

/** A history that another process played. */
export interface Played {
  readonly seed: number;
  /** Number of attempts. */
  readonly runs: number;
  readonly coverage: Pick<Coverage, 'counts' | 'sure'>;
  /** Moves that are left of it after shrinking, and the promise that it broke; null: it kept all. */
  readonly broken: (Given & { readonly why: string }) | null;
}

const LANE = path.resolve(import.meta.dirname, 'lane.ts');

/**
 * Plays histories in several processes at once, one for each processor, until time is up. Returns the first seed that
 * was not played. @throws Error if a process ends in the middle of a history
 */
export async function playInLanes(
  from: number,
  { forMs, lanes }: { readonly forMs: number; readonly lanes: number },
  played: (history: Played) => void,
): Promise<number> {
  const endsAt = performance.now() + forMs;
  let seed = from;
  const playLane = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(LANE, { serialization: 'advanced' });
      let current = seed;
      const next = (): void => {
        if (performance.now() >= endsAt) {
          child.disconnect();
          return;
        }
        current = seed;
        seed += 1;
        child.send(current);
      };
      child.on('message', (history) => {
        played(history as Played);
        next();
      });
      child.once('error', reject);
      child.once('exit', (code) => {
        if (code === 0) resolve();
        else
          reject(new Error(`The process of seed ${String(current)} ended with exit code ${String(code)}.`));
      });
      next();
    });
  await Promise.all(Array.from({ length: lanes }, playLane));
  return seed;
}
