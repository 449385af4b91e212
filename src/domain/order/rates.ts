import type { Attempt } from '../task/attempt';
import { listRunTimes } from '../task/runTime';
import type { EpochMs } from '../time/epoch';
import { PRIORITIES, type Priority } from '../task/priority';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Service figures of one priority or user. */
export interface Rate {
  /** Attempts that ended in the last hour. */
  readonly lastHour: number;
  readonly lastDay: number;
  /** Mean wait before the start, over the last day; null: nothing is known. */
  readonly meanWaitMs: number | null;
  /** Mean duration, over the last day; null: none is known. */
  readonly meanDurationMs: number | null;
}

/** Returns the figures of each priority from the attempts of the last day whose priority is known. */
export function ratesOf(attempts: readonly Attempt[], now: EpochMs): Readonly<Record<Priority, Rate>> {
  const rates = PRIORITIES.map((priority) => [priority, rateWith(priority, attempts, now)] as const);
  // One entry for each priority, by the list that the type is made from.
  return Object.fromEntries(rates) as Record<Priority, Rate>;
}

/** Returns the figures of the attempts of the last day whose priority is unknown: earlier versions did not store it. */
export function rateOfUnknown(attempts: readonly Attempt[], now: EpochMs): Rate {
  return rateWith(undefined, attempts, now);
}

function rateWith(priority: Priority | undefined, attempts: readonly Attempt[], now: EpochMs): Rate {
  const served = endedInDay(attempts, now).filter((attempt) => attempt.priority === priority);
  return rateOf(served, now);
}

/** Returns the figures of each user with attempts in the last day; an empty name stands for tasks without a user. */
export function ratesByUser(attempts: readonly Attempt[], now: EpochMs): ReadonlyMap<string, Rate> {
  const recent = endedInDay(attempts, now);
  const users = new Set(recent.map(({ user = '' }) => user));
  return new Map(
    [...users].map((name) => [
      name,
      rateOf(
        recent.filter(({ user = '' }) => user === name),
        now,
      ),
    ]),
  );
}

/** Figures without an attempt. */
export const NO_RATE: Rate = { lastHour: 0, lastDay: 0, meanWaitMs: null, meanDurationMs: null };

function endedInDay(attempts: readonly Attempt[], now: EpochMs): readonly Attempt[] {
  return attempts.filter(({ endedAt }) => endedAt > now - DAY_MS && endedAt <= now);
}

function rateOf(served: readonly Attempt[], now: EpochMs): Rate {
  return {
    lastHour: served.filter(({ endedAt }) => endedAt > now - HOUR_MS).length,
    lastDay: served.length,
    meanWaitMs: meanOf(served.flatMap(({ waitedMs }) => (waitedMs === undefined ? [] : [waitedMs]))),
    meanDurationMs: meanOf(listRunTimes(served)),
  };
}

function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
