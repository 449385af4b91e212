import type { EpochMs } from '../../domain/time/epoch';
import { formatSecond, parseTime } from '../../domain/time/localTime';
import { Problem } from '../../domain/problem';
import { timeOnDay } from './calendarDay';

/** When this time of day (`9:00`) comes next by the clocks of `timeZone`; null: `text` is no time of day. */
export function nextTimeOfDay(text: string, now: EpochMs, timeZone: string): EpochMs | null {
  const today = timeOnDay(text, now, timeZone);
  return today !== null && today <= now ? timeOnDay(text, now, timeZone, 1) : today;
}

/**
 * A time that the user gives for an end: `YYYY-MM-DD HH:MM`, ISO 8601, or `HH:MM`, which is the next one that comes,
 * by the clocks of `timeZone`. @throws Problem `usage`, also where it has passed
 */
export function parseUntil(text: string, now: EpochMs, timeZone: string): EpochMs {
  const next = nextTimeOfDay(text, now, timeZone) ?? parseTime(text, timeZone);
  if (next === null) throw new Problem('usage', `"${text}" is not a time: give HH:MM or YYYY-MM-DD HH:MM.`);
  if (next > now) return next;
  throw new Problem(
    'usage',
    `"${text}" has passed: it is ${formatSecond(now, timeZone)} (${timeZone}). Give a future time.`,
  );
}
