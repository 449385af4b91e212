import type { EpochMs } from '../domain/epoch';

/** Time as the program sees it; tests pass their own. */
export interface Clock {
  now(): EpochMs;
  /** Resolves after `ms` of running time, or at once when `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal?.addEventListener('abort', finish, { once: true });
    }),
};

/** Longest single sleep while waiting for a time of day: a suspended machine notices late at most by this. */
const LONGEST_SLEEP_MS = 15_000;

/** Waits until the wall clock shows `until`, also across a suspend or a clock change; at once when aborted. */
export async function sleepUntil(clock: Clock, until: EpochMs, signal?: AbortSignal): Promise<void> {
  for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
    if (signal?.aborted === true) return;
    await clock.sleep(Math.min(left, LONGEST_SLEEP_MS), signal);
  }
}
