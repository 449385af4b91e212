import { formatShortTime } from '../../../app/present/reasons/amounts';
import { titleOf } from '../../../app/present/text';
import { describeBasis, describeRisks, formatTimes } from '../../../app/present/tonight/forecast';
import type { Forecast, Range, TaskForecast } from '../../../app/simulate/forecast';
import type { Moment } from '../../../domain/time/moment';
import { formatUsd } from '../../../domain/usd';
import { formatJson } from '../../options/parseArguments';
import { cutToWidth } from '../displayWidth';
import { toPlainForecast } from './forecast';
import { layOut } from '../table';

const TITLE_WIDTH = 30;

/** Lays out as text what a change would do: the sums side by side, then the tasks whose forecast differs. */
export function layWhatIfOut(now: Forecast, then: Forecast, moment: Moment): string {
  const later = new Map(then.tasks.map((task) => [task.id, task]));
  const differing = now.tasks.flatMap((task) => {
    const changed = later.get(task.id);
    return changed === undefined || isSame(task, changed) ? [] : [{ task, changed }];
  });
  const both = (describe: (forecast: Forecast) => string): string[] => [describe(now), describe(then)];
  return [
    ...layOut(
      ['', 'now', 'changed'],
      [
        ['tasks that start', ...both(({ order }) => String(order.length))],
        ['last one completed', ...both((forecast) => describeEnd(forecast, moment))],
        ['cost', ...both((forecast) => describeCost(forecast))],
        ['usage limits reached', ...both(describeLimits)],
      ],
    ),
    '',
    ...(differing.length === 0
      ? ['No task starts at another time.']
      : layOut(
          ['id', 'prompt', 'starts now', 'starts then', 'risk then'],
          differing.map(({ task, changed }) => [
            String(task.id),
            cutToWidth(titleOf(task.prompt), TITLE_WIDTH),
            describeStart(task, now, moment),
            describeStart(changed, then, moment),
            describeRisks(changed),
          ]),
        )),
    '',
    ...describeBasis(then),
  ].join('\n');
}

/** Whether a task starts in the same place and at the same times, with the same risks. */
function isSame(task: TaskForecast, changed: TaskForecast): boolean {
  return isSameRange(task.start, changed.start) && describeRisks(task) === describeRisks(changed);
}

const isSameRange = (one: Range | null, other: Range | null): boolean =>
  one?.p50 === other?.p50 && one?.p80 === other?.p80;

function describeStart(
  { id, start }: TaskForecast,
  { isTimeKnown, order }: Forecast,
  moment: Moment,
): string {
  if (start === null) return 'not';
  if (isTimeKnown) return formatTimes(start, true, moment);
  return `place ${String(order.indexOf(id) + 1)}`;
}

function describeEnd({ tasks, isTimeKnown }: Forecast, moment: Moment): string {
  const ends = tasks.flatMap(({ end }) => end?.p50 ?? []);
  if (ends.length === 0) return 'none';
  return isTimeKnown ? formatShortTime(Math.max(...ends), moment) : 'unknown';
}

function describeCost({ costUsd, isTimeKnown }: Forecast): string {
  return isTimeKnown ? formatUsd(costUsd.p50 ?? 0) : 'unknown';
}

function describeLimits({ limits, isUsageKnown }: Forecast): string {
  return isUsageKnown ? String(limits.p50 ?? 0) : 'unknown';
}

/** JSON of a comparison: the contract of `simulate --set --json`. */
export function whatIfJson(now: Forecast, then: Forecast): string {
  return formatJson({ now: toPlainForecast(now), changed: toPlainForecast(then) });
}
