import type { EpochMs } from '../../../domain/time/epoch';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { drawOptions } from '../select';

const DAY_MS = 86_400_000;

/** Times that the pages can cover, with their length in days; null: everything. */
export const PERIODS = { week: 7, month: 30, quarter: 90, all: null } as const;
export type Period = keyof typeof PERIODS;

/** Returns the period with this name, or the usual one. */
export function toPeriod(name: string): Period {
  return name === 'week' || name === 'quarter' || name === 'all' ? name : 'month';
}

/** Returns the filter for attempts that started in a period. */
export function sinceOf(period: Period, now: EpochMs): { readonly since?: EpochMs } {
  const days = PERIODS[period];
  return days === null ? {} : { since: now - days * DAY_MS };
}

/** Draws the field in which the user chooses a period. */
export function drawPeriods(chosen: Period): Html {
  const options = Object.entries(PERIODS).map(
    ([name, days]) => [name, days === null ? t('Everything') : t('Last {0} days', days)] as const,
  );
  return markup`<select data-action="period" aria-label="${t('Time')}">${drawOptions(options, chosen)}</select>`;
}
