import type { EpochMs } from './epoch';
import { formatMinute, formatSecond } from './localTime';

/** When and where times are told. */
export interface Moment {
  readonly now: EpochMs;
  /** IANA name of the zone. */
  readonly timeZone: string;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DATE_LENGTH = 'YYYY-MM-DD '.length;

/**
 * A time before which nothing happens, as people are told it: the time of day alone where that is today, else the
 * date too. The minute is the one that has come by then.
 */
export function tellTime(at: EpochMs, { now, timeZone }: Moment): string {
  return shorten(formatMinute(Math.ceil(at / MINUTE_MS) * MINUTE_MS, timeZone), now, timeZone);
}

/** The same to the second, where that counts. */
export function tellSecond(at: EpochMs, { now, timeZone }: Moment): string {
  return shorten(formatSecond(Math.ceil(at / SECOND_MS) * SECOND_MS, timeZone), now, timeZone);
}

function shorten(time: string, now: EpochMs, timeZone: string): string {
  const [date, timeOfDay] = [time.slice(0, DATE_LENGTH), time.slice(DATE_LENGTH)];
  return formatMinute(now, timeZone).startsWith(date) ? timeOfDay : time;
}
