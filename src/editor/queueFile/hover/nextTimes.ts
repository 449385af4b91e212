import { formatWait } from '../../../domain/time/duration';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatMinute, wallTimeOf } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { timeAfter, type RepeatInterval } from '../../../domain/time/schedule';
import { t } from '../../../platform/text/translate';

/** Number of times to list. */
const TIMES = 5;

/** Returns the next due times of a repeating task, oldest first. `due` is the one that is due now or next, if known. */
export function nextTimes(interval: RepeatInterval, due: EpochMs | null, moment: Moment): readonly EpochMs[] {
  const { now, timeZone } = moment;
  const after = timeAfter(interval, timeZone);
  const times = due !== null && due > now ? [due] : [after(now)];
  for (let last = times[0] ?? now; times.length < TIMES; times.push(last)) last = after(last);
  return times;
}

const DAYS = [t('Sun'), t('Mon'), t('Tue'), t('Wed'), t('Thu'), t('Fri'), t('Sat')] as const;

/** Formats a time with its day of the week: `Wed 2026-11-25 07:00`. */
export function formatWithDay(at: EpochMs, timeZone: string): string {
  const day = DAYS[new Date(wallTimeOf(at, timeZone)).getUTCDay()] ?? '';
  return `${day} ${formatMinute(at, timeZone)}`;
}

/** Formats the distance of a time: `in 8 h 41 min`, `30 min ago`. */
export function formatDistance(at: EpochMs, { now }: Moment): string {
  return at > now ? t('in {0}', formatWait(at - now)) : t('{0} ago', formatWait(now - at));
}
