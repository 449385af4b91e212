import { formatMinute, formatSecond, parseTime } from '../domain/localTime';
import { Problem } from '../domain/problem';
import type { EpochMs } from '../domain/epoch';

/**
 * A time that a person gives for an end: `YYYY-MM-DD HH:MM`, ISO 8601, or `HH:MM`, which is the next one that comes,
 * by the clocks of `timeZone`. @throws Problem `usage`, also where it has passed
 */
export function parseUntil(text: string, now: EpochMs, timeZone: string): EpochMs {
  const today = formatMinute(now, timeZone).slice(0, 'YYYY-MM-DD'.length);
  const isTimeOfDay = /^\d{1,2}:\d{2}$/.test(text);
  const on = (date: string): EpochMs | null => parseTime(`${date} ${text.padStart(5, '0')}`, timeZone);
  const time = isTimeOfDay ? on(today) : parseTime(text, timeZone);
  const next = isTimeOfDay && time !== null && time <= now ? on(dayAfter(today)) : time;
  if (next === null) throw new Problem('usage', `"${text}" is not a time: give HH:MM or YYYY-MM-DD HH:MM.`);
  if (next > now) return next;
  throw new Problem(
    'usage',
    `"${text}" has passed: it is ${formatSecond(now, timeZone)} (${timeZone}). Give a time to come.`,
  );
}

/** The calendar's next day, however long this one is by the clocks. */
function dayAfter(date: string): string {
  const next = new Date(`${date}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
