import type { EpochMs } from './epoch';
import { formatMinute, formatSecond } from './localTime';

/** Time, zone and machine for which texts are made. */
export interface Moment {
  readonly now: EpochMs;
  /** IANA name of the zone. */
  readonly timeZone: string;
  /** Machine of the reader, whose folders the working directories are; absent: there is only one. */
  readonly machine?: string;
}

const HOUR_MS = 3_600_000;
const DATE_LENGTH = 'YYYY-MM-DD '.length;

/**
 * Formats a time before which nothing happens, for people: the time of day alone if that is today, else the date too.
 * Seconds are shown if the time is less than an hour away and not a whole minute. The result is never later than `at`,
 * so that it does not contradict the wait (`formatWait`).
 */
export function formatTime(at: EpochMs, moment: Moment): string {
  const { now, timeZone } = moment;
  if (Math.abs(at - now) < HOUR_MS) return formatSecondTime(at, moment).replace(/(:\d\d):00$/, '$1');
  return shorten(formatMinute(at, timeZone), now, timeZone);
}

/** Formats a time as `formatTime` does, to the second. */
export function formatSecondTime(at: EpochMs, { now, timeZone }: Moment): string {
  return shorten(formatSecond(at, timeZone), now, timeZone);
}

function shorten(time: string, now: EpochMs, timeZone: string): string {
  const [date, timeOfDay] = [time.slice(0, DATE_LENGTH), time.slice(DATE_LENGTH)];
  return formatMinute(now, timeZone).startsWith(date) ? timeOfDay : time;
}
