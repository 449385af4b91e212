import type { EpochMs } from '../../domain/time/epoch';

const DAY_MS = 24 * 3_600_000;
const LONGEST_MONTH_MS = 31 * DAY_MS;

/**
 * Returns the time from which counters count: the start of the month in UTC, or of the day if the history is kept for
 * less than a month. Counters are computed from the kept history, so they must not count from before it: an attempt
 * that leaves the history would lower them, and Prometheus takes that for a restart and counts all of them again.
 */
export function startOfCounting(now: EpochMs, keepHistoryMs: number): EpochMs {
  const date = new Date(now);
  const day = keepHistoryMs >= LONGEST_MONTH_MS ? 1 : date.getUTCDate();
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day);
}
