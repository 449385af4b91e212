import { formatWait } from '../../../domain/time/duration';
import { formatCellTime, formatMinute } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import { nextTime, parseRepeatInterval } from '../../../domain/time/schedule';
import { parseTypedTime } from '../../../domain/time/typedTime';
import type { Candidate } from './candidate';
import { t } from '../../../platform/text/translate';

/** Words that `parseTypedTime` understands. */
const WORDS = ['in 1 h', 'tonight 22:00', 'tomorrow 02:00', 'tomorrow 09:00', 'monday 09:00'];

/** Returns times in words with their written form: the words at the cursor if they are understood, then usual ones. */
export function timeCandidates(typed: string, moment: Moment): Candidate[] {
  const words = [...new Set([typed.trim(), ...WORDS])].filter((one) => one !== '');
  return words.flatMap((label) => {
    const at = parseTypedTime(label, moment);
    if (at === null) return [];
    const text = formatCellTime(at, moment.timeZone);
    return [{ text, label, detail: text, description: describeDistance(at, moment), kind: 'time' as const }];
  });
}

/** Describes how far away a time is. */
function describeDistance(at: number, { now }: Moment): string {
  return at <= now ? t('past') : t('in {0}', formatWait(at - now));
}

/** Intervals of a repeating task, with their meanings. */
const INTERVALS: Readonly<Record<string, string>> = {
  '30m': t('every 30 minutes'),
  '12h': t('every 12 hours'),
  daily: t('every 24 hours'),
  weekly: t('every 7 days'),
  '2w': t('every 14 days'),
  monthly: t('every 30 days'),
  '0 9 * * *': t('every day at 09:00'),
  '0 9 * * 1-5': t('on weekdays at 09:00'),
  '0 9 * * 1': t('on Mondays at 09:00'),
  '0 2 * * 6,0': t('on Saturdays and Sundays at 02:00'),
  '0 9 1 * *': t('on the first day of the month at 09:00'),
  '*/30 * * * *': t('at each full and half hour'),
};

/** Returns intervals for a repeating task, each with its meaning and, for a cron expression, its next time. */
export function intervalCandidates({ now, timeZone }: Moment): Candidate[] {
  return Object.entries(INTERVALS).map(([text, detail]) => {
    const interval = parseRepeatInterval(text);
    const next = interval?.kind === 'cron' ? formatMinute(nextTime(interval, now, timeZone), timeZone) : '';
    return { text, detail, description: next, kind: 'time' };
  });
}
