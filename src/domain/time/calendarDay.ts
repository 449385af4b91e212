import type { EpochMs } from './epoch';
import { formatMinute, parseTime } from './localTime';

/**
 * Returns the time of day (`9:00`, `9:00:30`) on the calendar day of `now` in `timeZone`, or N calendar days later,
 * whatever the length of those days. Null if `text` is no time of day.
 */
export function timeOnDay(text: string, now: EpochMs, timeZone: string, days = 0): EpochMs | null {
  if (!/^\d{1,2}:\d{2}(:\d{2})?$/.test(text)) return null;
  const date = new Date(`${formatMinute(now, timeZone).slice(0, DATE.length)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return parseTime(`${date.toISOString().slice(0, DATE.length)} ${text.replace(/^\d:/, '0$&')}`, timeZone);
}

const DATE = 'YYYY-MM-DD';
