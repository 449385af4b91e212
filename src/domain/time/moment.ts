import type { EpochMs } from './epoch';
import { formatMinute, formatSecond } from './localTime';

/** When and where times are told. */
export interface Moment {
  readonly now: EpochMs;
  /** IANA name of the zone. */
  readonly timeZone: string;
}

const HOUR_MS = 3_600_000;
const DATE_LENGTH = 'YYYY-MM-DD '.length;

/**
 * A time before which nothing happens, as people are told it: the time of day alone where that is today, else the
 * date too; with its seconds where it is less than an hour away and not a whole minute. It is never later than `at`,
 * so that it does not contradict how long the wait is said to be (`formatWait`).
 */
export function formatTime(at: EpochMs, moment: Moment): string {
  const { now, timeZone } = moment;
  if (Math.abs(at - now) < HOUR_MS) return formatSecondTime(at, moment).replace(/(:\d\d):00$/, '$1');
  return shorten(formatMinute(at, timeZone), now, timeZone);
}

/** The same to the second. */
export function formatSecondTime(at: EpochMs, { now, timeZone }: Moment): string {
  return shorten(formatSecond(at, timeZone), now, timeZone);
}

function shorten(time: string, now: EpochMs, timeZone: string): string {
  const [date, timeOfDay] = [time.slice(0, DATE_LENGTH), time.slice(DATE_LENGTH)];
  return formatMinute(now, timeZone).startsWith(date) ? timeOfDay : time;
}
