import type { EpochMs } from '../time/epoch';
import { instantOrChange, wallTimeOf } from '../time/localTime';
import { sumUsd } from '../usd';
import type { Settings } from '../settings/settings';
import type { Cost } from './view';

const DAY_MS = 86_400_000;

/** Time for which the cost of an attempt is kept: longer than any night, even with a change of the clocks. */
export const COST_WINDOW_MS = DAY_MS + DAY_MS / 2;

/** Cost of one night, and when that night ends. */
export interface NightSpending {
  readonly usd: number;
  /** Noon at which it ends. */
  readonly until: EpochMs;
}

/**
 * Returns the cost of the night that `now` is in. A night lasts from noon to noon by the queue's clock. So all that
 * happens while the user sleeps is in one night, also with several workers and with timers that start every half hour.
 */
export function findSpending(costs: readonly Cost[], now: EpochMs, timeZone: string): NightSpending {
  const noon = Math.floor((wallTimeOf(now, timeZone) - DAY_MS / 2) / DAY_MS) * DAY_MS + DAY_MS / 2;
  const from = instantOrChange(noon, timeZone);
  const usd = sumUsd(costs.filter(({ at }) => at >= from && at <= now).map((cost) => cost.usd));
  return { usd, until: instantOrChange(noon + DAY_MS, timeZone) };
}

/** Returns the cost of this night if it has used up the budget. Null: there is no budget, or some is left. */
export function findUsedUpNight(
  costs: readonly Cost[],
  now: EpochMs,
  { nightBudget }: Pick<Settings, 'nightBudget'>,
  timeZone: string,
): NightSpending | null {
  // Fast path: every claim asks.
  if (nightBudget === 0) return null;
  const spending = findSpending(costs, now, timeZone);
  return spending.usd >= nightBudget ? spending : null;
}
