import type { EpochMs } from '../time/epoch';
import type { CallbackEntry, CallbackFailure } from './callbacks';

/** Tries of one callback. */
const TRIES = 3;

/** Time until the second and the third try, in ms. */
const RETRY_AFTER_MS = [10_000, 60_000] as const;

/** Whether it is time for the next try. A time that was recorded while the clock was ahead does not count. */
export function isDue({ nextAt }: CallbackEntry, now: EpochMs): boolean {
  return nextAt <= now || nextAt - now > Math.max(...RETRY_AFTER_MS);
}

/** Time for which the machine of an attempt alone sends its callbacks, in ms. */
const OWN_MACHINE_MS = 60_000;

/**
 * Whether this machine may make the next try. Only the machine of the attempt has the settings with its own address;
 * others call the address of the row once that machine had a minute.
 */
export function isForMachine({ callback, nextAt }: CallbackEntry, machine: string, now: EpochMs): boolean {
  if (callback.machine === undefined || callback.machine === machine) return true;
  return callback.target === 'row' && now - nextAt >= OWN_MACHINE_MS;
}

/** Returns the time of the next try after one that failed at `now`; null: it was the last. */
export function nextTry(failures: number, { kind }: CallbackFailure, now: EpochMs): EpochMs | null {
  // Only the user can change these.
  if (kind === 'private' || kind === 'not-encrypted' || kind === 'no-address') return null;
  const waitMs = failures < TRIES ? RETRY_AFTER_MS[failures - 1] : undefined;
  return waitMs === undefined ? null : now + waitMs;
}
