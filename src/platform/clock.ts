import type { EpochMs } from '../domain/time/epoch';

/** Time as the program sees it; tests pass their own. */
export interface Clock {
  now(): EpochMs;
  /** Resolves after `ms` of running time, or at once when `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longest single step of `sleepAwake`: a sleep of the machine counts for at most this long. */
const WAKING_STEP_MS = 10_000;

/**
 * Resolves after `ms` in which this process could run, or at once when `signal` is aborted. Some systems let timers run
 * on while the machine sleeps, and all do while a process is stopped.
 */
export async function sleepAwake(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs -= WAKING_STEP_MS) {
    await clock.sleep(Math.min(leftMs, WAKING_STEP_MS), signal);
  }
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
