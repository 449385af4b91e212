import { TIMINGS } from '../../../app/present/timers/schedule';
import type { Entry } from '../../../app/schedule/scheduler';
import { readTiming } from '../../../app/schedule/timing';
import { Problem } from '../../../domain/problem';
import { t } from '../../../platform/text/translate';

/** Choice of the user's own times, by a cron expression. */
export const OWN_TIMES = 'cron';

/** Choice on the page of a schedule. */
export interface ScheduleChoice {
  /** Position in `TIMINGS`, or `OWN_TIMES`. */
  readonly timing: string;
  /** Cron expression as the user typed it. */
  readonly cron: string;
  /** Name of the scheduler; empty: the preferred one. */
  readonly by: string;
}

/** Choice before the user has chosen anything: every 30 minutes. */
export const FIRST_CHOICE: ScheduleChoice = { timing: '1', cron: '', by: '' };

/** Returns the chosen times. @throws Problem `usage` */
export function readChosenTimes({ timing, cron }: ScheduleChoice): Entry['times'] {
  if (timing === OWN_TIMES && cron.trim() === '')
    throw new Problem('usage', t('Type a cron expression: minute, hour, day, month and day of the week.'));
  const chosen = timing === OWN_TIMES ? { cron: [cron] } : TIMINGS[Number(timing)]?.timing;
  const times = chosen === undefined ? null : readTiming(chosen);
  if (times === null) throw new Problem('usage', t('Choose when the worker starts.'));
  return times;
}
