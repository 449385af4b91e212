import type { Attempt } from '../../domain/task/attempt';
import { listRunTimes } from '../../domain/task/runTime';
import { sumOf, type Sums } from './ledger';

/** Values that half of all, and 95 of 100, do not exceed. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

/** Totals of attempts, and how long they waited and ran. */
export interface AttemptStatistics extends Sums {
  /** Null: no attempt has recorded it. */
  readonly waitedMs: Spread | null;
  /** Null: no time is known. */
  readonly ranMs: Spread | null;
}

/** Returns the spread of values, each of which is one of them; null if there are none. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((one, other) => one - other);
  const p50 = atShare(sorted, 0.5);
  const p95 = atShare(sorted, 0.95);
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}

/** Returns the smallest value that this share of sorted values does not exceed. */
export function atShare(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** Adds attempts up, and returns how long they waited and ran. */
export function computeStatistics(attempts: readonly Attempt[]): AttemptStatistics {
  return {
    ...sumOf(attempts),
    waitedMs: spreadOf(attempts.flatMap(({ waitedMs }) => waitedMs ?? [])),
    ranMs: spreadOf(listRunTimes(attempts)),
  };
}
