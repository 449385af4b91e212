import type { EpochMs } from '../../domain/time/epoch';
import { formatSecond, parseTime } from '../../domain/time/localTime';
import { Problem } from '../../domain/problem';
import { timeOnDay } from '../../domain/time/calendarDay';

/** Returns the next occurrence of this time of day (`9:00`) in `timeZone`; null if `text` is no time of day. */
export function nextTimeOfDay(text: string, now: EpochMs, timeZone: string): EpochMs | null {
  const today = timeOnDay(text, now, timeZone);
  return today !== null && today <= now ? timeOnDay(text, now, timeZone, 1) : today;
}

/**
 * Parses a time for an end: `YYYY-MM-DD HH:MM`, ISO 8601, or `HH:MM`, which is its next occurrence in `timeZone`.
 * @throws Problem `usage`, also if it has passed
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
