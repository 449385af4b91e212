import type { WindowUsage } from '../../../domain/gate/gate';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { MOST_COUNTED } from '../../../domain/time/skippedTimes';
import { t } from '../../../platform/text/translate';

/** Names of the account's usage windows. */
export const WINDOW_NAMES: Record<WindowUsage['window'], string> = {
  five_hour: t('5-hour usage window'),
  seven_day: t('weekly usage window'),
};

/** Formats how full a usage window is; 100 % only where it is full. */
export function formatShare(utilization: number): string {
  const percent = Math.round(utilization * 100);
  return `${String(utilization < 1 ? Math.min(percent, 99) : percent)} %`;
}

/** Formats the number of missed times, which is counted up to a maximum. */
export function formatMissed(missed: number): string {
  return missed >= MOST_COUNTED ? t('at least {0}', missed) : String(missed);
}

/** Formats the number of running tasks, its maximum, and the number of tasks whose dead workers keep their slots. */
export function formatRunning(running: number, max: number, lost = 0): string {
  return lost === 0
    ? t('{0} of {1} running', running, max)
    : t('{0} of {1} running, {2} left by a worker that died', running, max, lost);
}

/** Ordinals by the plural category that English has for them. */
const ORDINALS: Readonly<Partial<Record<Intl.LDMLPluralRule, (place: number) => string>>> = {
  one: (place) => t('{0}st', place),
  two: (place) => t('{0}nd', place),
  few: (place) => t('{0}rd', place),
};
const RULES = new Intl.PluralRules('en', { type: 'ordinal' });

/** Formats a place in line: `2nd`. */
export function formatOrdinal(place: number): string {
  return ORDINALS[RULES.select(place)]?.(place) ?? t('{0}th', place);
}

const DAY_MS = 86_400_000;
/** Longest distance at which the day of the week names one day only. */
const WEEK_MS = 6 * DAY_MS;

/**
 * Formats a time in at most 10 characters: the time of day alone within 24 hours, with the day of the week within six
 * days, else the date.
 */
export function formatShortTime(at: EpochMs, { now, timeZone }: Moment): string {
  const [date = '', timeOfDay = ''] = formatMinute(at, timeZone).split(' ');
  const distance = Math.abs(at - now);
  if (distance < DAY_MS) return timeOfDay;
  return distance < WEEK_MS ? `${nameDay(at, timeZone)} ${timeOfDay}` : date;
}

/** Formats a time as `formatShortTime` does, but always with the time of day: for what happened. */
export function formatPastTime(at: EpochMs, moment: Moment): string {
  const isFar = Math.abs(at - moment.now) >= WEEK_MS;
  return isFar ? formatMinute(at, moment.timeZone) : formatShortTime(at, moment);
}

function nameDay(at: EpochMs, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone }).format(at);
  return DAY_NAMES[day] ?? day;
}

const DAY_NAMES: Readonly<Record<string, string>> = {
  Mon: t('Mon'),
  Tue: t('Tue'),
  Wed: t('Wed'),
  Thu: t('Thu'),
  Fri: t('Fri'),
  Sat: t('Sat'),
  Sun: t('Sun'),
};
