import type { EpochMs } from '../time/epoch';
import type { Settings } from '../settings/settings';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time for which the start of an attempt counts. */
export const BUDGET_WINDOW_MS = DAY_MS;

/** A used-up budget, and when the next attempt may start. */
export interface BudgetUsedUp {
  readonly limit: number;
  readonly per: 'hour' | 'day';
  readonly until: EpochMs;
}

/**
 * Returns the used-up budget that ends last; null: none. It counts attempts, not successes. Windows roll: the last 60
 * minutes, the last 24 hours. A start in the future was made before the clock was set back and does not count.
 */
export function findUsedUpBudget(
  starts: readonly EpochMs[],
  now: EpochMs,
  settings: Settings,
): BudgetUsedUp | null {
  const hour = usedUp(starts, now, settings.maxPerHour, HOUR_MS);
  const day = usedUp(starts, now, settings.maxPerDay, DAY_MS);
  if (day !== null && (hour === null || day >= hour))
    return { limit: settings.maxPerDay, per: 'day', until: day };
  return hour === null ? null : { limit: settings.maxPerHour, per: 'hour', until: hour };
}

/** Returns the number of attempts that started in the last hour and in the last day. */
export function countStarts(starts: readonly EpochMs[], now: EpochMs): { hour: number; day: number } {
  return {
    hour: startsWithin(starts, now, HOUR_MS).length,
    day: startsWithin(starts, now, DAY_MS).length,
  };
}

function startsWithin(starts: readonly EpochMs[], now: EpochMs, windowMs: number): EpochMs[] {
  return starts.filter((at) => at > now - windowMs && at <= now);
}

function usedUp(starts: readonly EpochMs[], now: EpochMs, limit: number, windowMs: number): EpochMs | null {
  // Fast path: every claim asks, and most queues are far from their budget.
  if (starts.length < limit) return null;
  const within = startsWithin(starts, now, windowMs);
  if (within.length < limit) return null;
  // The start that must leave the window before one more fits. Where the clock was set back, starts are not in order.
  const leaving = within.sort((a, b) => a - b)[within.length - Math.max(limit, 1)];
  return (leaving ?? now) + windowMs;
}
