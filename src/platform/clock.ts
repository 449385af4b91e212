import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../domain/time/epoch';
import { isTimeZone } from '../domain/time/localTime';

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

/** Returns the time zone of this process: that of `TZ`, else the machine's. */
export function processZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Returns the time zone of the machine's clock, which timers use whatever zone `TZ` or a queue names. `etc` has
 * `localtime`, a link to the zone, or `timezone` with its name (Debian). Without either it is the zone of this process.
 */
export function machineZone(etc = '/etc'): string {
  const linked = readQuietly(() => realpathSync(join(etc, 'localtime')));
  const names = [
    ZONE_FILE.exec(linked)?.[1] ?? '',
    readQuietly(() => readFileSync(join(etc, 'timezone'), 'utf8')).trim(),
  ];
  return names.find((name) => name !== '' && isTimeZone(name)) ?? processZone();
}

const ZONE_FILE = /\/zoneinfo\/(?:(?:posix|right)\/)?(.+)$/;

/** Returns an empty text if the file cannot be read: many machines have only one of them. */
function readQuietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
