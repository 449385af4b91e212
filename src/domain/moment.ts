import type { EpochMs } from './epoch';
import { formatMinute } from './localTime';

/** When and where times are told. */
export interface Moment {
  readonly now: EpochMs;
  /** IANA name of the zone. */
  readonly timeZone: string;
}

const MINUTE_MS = 60_000;
const DATE_LENGTH = 'YYYY-MM-DD '.length;

/**
 * A time before which nothing happens, as people are told it: the time of day alone where that is today, else the
 * date too. The minute is the one that has come by then.
 */
export function tellTime(at: EpochMs, { now, timeZone }: Moment): string {
  const minute = formatMinute(Math.ceil(at / MINUTE_MS) * MINUTE_MS, timeZone);
  const [date, timeOfDay] = [minute.slice(0, DATE_LENGTH), minute.slice(DATE_LENGTH)];
  return formatMinute(now, timeZone).startsWith(date) ? timeOfDay : minute;
}
