import { formatTime, type Moment } from '../../../domain/time/moment';
import { formatShortTime, WINDOW_NAMES } from '../reasons/amounts';
import type { TaskId } from '../../../domain/task/task';
import { formatEstimatedUsd } from '../../../domain/usd';
import { t } from '../../../platform/text/translate';
import {
  findLastEnd,
  isRisky,
  type Forecast,
  type LimitForecast,
  type Range,
  type TaskForecast,
} from '../../simulate/forecast';
import { LEAST_ATTEMPTS } from '../../simulate/pastAttempts';
import { COMMA } from '../text';

/** Formats a range of times, `02:10 to 02:40`; empty: there is none. A time that is not known is `unknown`. */
export function formatTimes(range: Range | null, isKnown: boolean, moment: Moment): string {
  const { p50 = null, p80 = null } = range ?? {};
  if (p50 === null) return '';
  if (!isKnown) return t('unknown');
  const early = formatShortTime(p50, moment);
  if (p80 === null) return t('{0} or later', early);
  const late = formatShortTime(p80, moment);
  return early === late ? early : t('{0} to {1}', early, late);
}

/** Describes the worker that a forecast assumes, in one sentence; empty: one is running. */
export function describeAssumedWorker({ assumedWorker }: Forecast, moment: Moment): string[] {
  if (assumedWorker === null) return [];
  const { from, timer } = assumedWorker;
  return timer === null
    ? [t('No worker is running: assumes one from now on.')]
    : [
        t(
          'No worker is running: assumes one from {0} on, by the timer ({1}).',
          formatTime(from, moment),
          timer,
        ),
      ];
}

/** Describes what a forecast is based on, and what it does not know, in one sentence each. */
export function describeBasis(forecast: Forecast): string[] {
  const { nights, problems, isTimeKnown, isUsageKnown, unlessUnchanged, skipsUnchanged } = forecast;
  return [
    ...(problems === 0 ? [] : [t('Left out: rows with problems ({0}).', String(problems))]),
    ...(nights === 1
      ? [t('Simulated once.')]
      : [t('Simulated {0} times. A range says: by then in half, and in 80 % of them.', String(nights))]),
    ...(isTimeKnown
      ? []
      : [
          t(
            'Times are unknown: fewer than {0} attempts of this queue have ended. The order assumes 10 min for each.',
            String(LEAST_ATTEMPTS),
          ),
        ]),
    ...(isUsageKnown
      ? []
      : [t('Usage limits are not simulated: too few attempts have reported how much they used.')]),
    ...(unlessUnchanged.length === 0
      ? []
      : [t('Counted as runs: due times that {0} may skip as unchanged.', nameTasks(unlessUnchanged))]),
    ...(skipsUnchanged.length === 0
      ? []
      : [t('Skipped as unchanged as often as in the past: due times of {0}.', nameTasks(skipsUnchanged))]),
  ];
}

/** Describes the cost of a night, and the usage limits that it reaches, in one sentence each; what is unknown is left out. */
export function describeNight(forecast: Forecast, moment: Moment): string[] {
  const { costUsd, isCostPartial, limits, limitTimes, isTimeKnown, isUsageKnown } = forecast;
  const cost = formatRange(costUsd, formatEstimatedUsd);
  return [
    ...(isTimeKnown && costUsd.p50 !== null && costUsd.p80 !== 0
      ? [t('Cost: {0}.', isCostPartial ? t('at least {0}', cost) : cost)]
      : []),
    ...(isUsageKnown ? [t('Usage limits reached: {0}.', formatRange(limits, String))] : []),
    ...(isUsageKnown && isTimeKnown ? limitTimes.map((limit) => describeLimit(limit, moment)) : []),
  ];
}

/** Describes in one sentence when a usage limit likely comes, until when, and what starts before it. */
export function describeLimit({ window, at, until, before }: LimitForecast, moment: Moment): string {
  const times = [WINDOW_NAMES[window], formatTimes(at, true, moment), formatTimes(until, true, moment)];
  return before.length === 0
    ? t('The {0} is used up about {1}, and resets about {2}.', ...times)
    : t('The {0} is used up about {1}, and resets about {2}; before that: {3}.', ...times, nameTasks(before));
}

/** Number of tasks that a sentence names. */
const MOST_NAMED = 8;

/** Names tasks in a sentence. */
export function nameTasks(ids: readonly TaskId[]): string {
  const named = ids.slice(0, MOST_NAMED).join(', ');
  if (ids.length > MOST_NAMED) return t('tasks {0} and {1} more', named, ids.length - MOST_NAMED);
  return ids.length === 1 ? t('task {0}', named) : t('tasks {0}', named);
}

function formatRange({ p50, p80 }: Range, format: (value: number) => string): string {
  const [low, high] = [format(p50 ?? 0), format(p80 ?? p50 ?? 0)];
  return low === high ? low : t('{0} to {1}', low, high);
}

/** Shares of nights below which a risk is not worth a warning. */
const LEAST_RISK = 0.05;

/** Describes how likely a task needs the user or ends late; empty: neither is likely. */
export function describeRisks({ needsUser, late }: Pick<TaskForecast, 'needsUser' | 'late'>): string {
  const percent = (share: number): string => String(Math.round(share * 100));
  return [
    ...(needsUser < LEAST_RISK ? [] : [t('needs attention in {0} %', percent(needsUser))]),
    ...(late < LEAST_RISK ? [] : [t('late in {0} %', percent(late))]),
  ].join(COMMA);
}

/** Describes the risks of a task, and its deadline. */
export function describeRisksAndDeadline(task: TaskForecast, moment: Moment): string {
  const [risks, { deadline }] = [describeRisks(task), task];
  if (deadline === null) return risks;
  const text = t('deadline {0}', formatShortTime(deadline, moment));
  return risks === '' ? text : `${risks}, ${text}`;
}

/** Describes why a task does not start earlier; empty: it starts at once. */
export function describeWait({ reason }: Pick<TaskForecast, 'reason'>): string {
  return reason.state === 'running' ? '' : reason.text;
}

/** Describes in one sentence how many tasks start, and when all are likely done. */
export function summarizeForecast({ tasks, order, isTimeKnown, until }: Forecast, moment: Moment): string {
  if (order.length === 0) return t('No task will start by {0}.', formatTime(until, moment));
  const last = findLastEnd(tasks, 'p50');
  const started =
    order.length === 1 ? t('1 task will start') : t('{0} tasks will start', String(order.length));
  if (!isTimeKnown || last === null) return t('{0}; times are unknown', started);
  return last.isOfAll
    ? t('{0}; likely finished by {1}', started, formatShortTime(last.at, moment))
    : t('{0}; not all are likely finished by {1}', started, formatTime(until, moment));
}

/** A task that the user can better settle before the night. */
export interface Unsettled {
  readonly task: TaskForecast;
  readonly text: string;
  /** Action that settles it, if there is one. */
  readonly action?: 'approve';
}

/** Lists the tasks that wait for approval, have findings in their prompts, likely need the user, or are likely late, in this order. */
export function listUnsettled({ tasks, reviews }: Forecast): readonly Unsettled[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const findings = new Map(reviews.map(({ id, text }) => [id, text]));
  const reviewed = reviews.flatMap(({ id }) => byId.get(id) ?? []);
  const found = new Set([...tasks.filter(isUnapproved), ...reviewed, ...tasks.filter(isRisky)]);
  return [...found].map((task) => {
    const texts = [
      isUnapproved(task) ? t('Waits for your approval.') : '',
      findings.get(task.id) ?? '',
      isRisky(task) ? t('Likely {0}.', describeRisks(task)) : '',
    ].filter((text) => text !== '');
    return { task, text: texts.join(' '), ...(isUnapproved(task) ? { action: 'approve' as const } : {}) };
  });
}

function isUnapproved({ reason }: TaskForecast): boolean {
  return reason.state === 'unapproved';
}
