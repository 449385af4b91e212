import { Problem } from '../../domain/problem';
import { findForeignCron } from '../../domain/time/schedule';
import { describeForeignCron } from '../../platform/text/sentences';
import { t } from '../../platform/text/translate';
import { type CronTimes, parseCronTimes } from './cronTimes';

/** Intervals to choose from. */
export const EVERY = {
  '15m': ['*/15 * * * *'],
  '30m': ['*/30 * * * *'],
  '1h': ['0 * * * *'],
  // From midnight on: a usage window lasts five hours.
  '4.5h': ['0 0,9,18 * * *', '30 4,13,22 * * *'],
  '5h': ['0 */5 * * *'],
} as const;
/** Every hour from 9 to 18, on working days. */
const WEEKDAYS_HOURLY = '0 9-18 * * 1-5';

/** Options for the times; at most one is set. */
export interface Timing {
  readonly every?: keyof typeof EVERY;
  readonly weekdays?: true;
  /** Cron expressions. */
  readonly cron?: readonly string[];
}

/** Returns the chosen times; null if none were. @throws Problem `usage` */
export function readTiming({ every, weekdays, cron }: Timing): readonly CronTimes[] | null {
  const asked: (readonly string[])[] = [
    ...(every === undefined ? [] : [EVERY[every]]),
    ...(weekdays === undefined ? [] : [[WEEKDAYS_HOURLY]]),
    ...(cron === undefined ? [] : [cron]),
  ];
  const [expressions, ...others] = asked;
  if (expressions === undefined) return null;
  if (others.length > 0) throw new Problem('usage', t('Give one of --every, --weekdays and --cron.'));
  return expressions.map(readExpression);
}

function readExpression(expression: string): CronTimes {
  const times = parseCronTimes(expression);
  if (times !== null) return times;
  const foreign = findForeignCron(expression);
  if (foreign !== null)
    throw new Problem('usage', t('In "{0}", {1}.', expression, describeForeignCron(foreign)));
  throw new Problem(
    'usage',
    t(
      '"{0}" is not a valid cron expression: give minute, hour, day, month and day of the week, such as "0 9-18 * * 1-5".',
      expression,
    ),
  );
}
