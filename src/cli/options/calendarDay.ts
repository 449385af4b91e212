import type { EpochMs } from '../../domain/time/epoch';
import { formatMinute, parseTime } from '../../domain/time/localTime';

/**
 * When this time of day (`9:00`) comes on the day of `now` by the clocks of `timeZone`, or N days of the calendar
 * from it, however long those are by the clocks. Null: `text` is no time of day.
 */
export function timeOnDay(text: string, now: EpochMs, timeZone: string, days = 0): EpochMs | null {
  if (!/^\d{1,2}:\d{2}$/.test(text)) return null;
  const date = new Date(`${formatMinute(now, timeZone).slice(0, DATE.length)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return parseTime(`${date.toISOString().slice(0, DATE.length)} ${text.padStart(5, '0')}`, timeZone);
}

const DATE = 'YYYY-MM-DD';
