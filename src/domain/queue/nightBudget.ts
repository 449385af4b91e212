import type { EpochMs } from '../time/epoch';
import { instantOrChange, wallTimeOf } from '../time/localTime';
import type { Settings } from '../settings/settings';
import type { Cost } from './view';

const DAY_MS = 86_400_000;

/** How long the cost of an attempt is remembered: no night is longer, not even with a change of the clocks. */
export const COST_WINDOW_MS = DAY_MS + DAY_MS / 2;

/** What has been spent in a night, and until when that night lasts. */
export interface NightSpending {
  readonly usd: number;
  /** Its next noon. */
  readonly until: EpochMs;
}

/**
 * What was spent in the night in which `now` lies. A night lasts from noon to noon by the clocks of the queue, so that all
 * that happens while somebody sleeps is one, no matter who works: several workers, and timers that start over every half hour.
 */
export function findSpending(costs: readonly Cost[], now: EpochMs, timeZone: string): NightSpending {
  const noon = Math.floor((wallTimeOf(now, timeZone) - DAY_MS / 2) / DAY_MS) * DAY_MS + DAY_MS / 2;
  const from = instantOrChange(noon, timeZone);
  const usd = costs.filter(({ at }) => at >= from && at <= now).reduce((sum, cost) => sum + cost.usd, 0);
  return { usd, until: instantOrChange(noon + DAY_MS, timeZone) };
}

/** The spending of this night where it has used up the budget; null where there is no budget, or something is left. */
export function findUsedUpNight(
  costs: readonly Cost[],
  now: EpochMs,
  { nightBudget }: Pick<Settings, 'nightBudget'>,
  timeZone: string,
): NightSpending | null {
  // This is asked at every claim.
  if (nightBudget === 0) return null;
  const spending = findSpending(costs, now, timeZone);
  return spending.usd >= nightBudget ? spending : null;
}
