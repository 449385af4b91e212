import type { Moment } from '../../../domain/time/moment';
import { formatEstimatedUsd } from '../../../domain/usd';
import { t } from '../../../platform/text/translate';
import { findLastEnd, isRisky, type Forecast, type Range, type TaskForecast } from '../../simulate/forecast';
import type { Comparison } from '../../simulate/whatIf';
import { formatShortTime } from '../reasons/amounts';
import { describeRisks, formatTimes, nameTasks } from './forecastTexts';

/** A figure of a night: now, and with changes. */
export interface ComparedSum {
  readonly label: string;
  readonly now: string;
  readonly then: string;
}

/** A task whose forecast differs: now, and with changes. */
export interface ComparedTask {
  readonly now: TaskForecast;
  readonly then: TaskForecast;
}

/** Lists the figures of both nights. */
export function listSums({ now, then }: Comparison, moment: Moment): readonly ComparedSum[] {
  const both = (label: string, describe: (forecast: Forecast) => string): ComparedSum => ({
    ...{ label, now: describe(now), then: describe(then) },
  });
  return [
    both(t('Tasks that start'), ({ order }) => String(order.length)),
    both(t('Last one completed'), (forecast) => describeEnd(forecast, 'p50', moment)),
    both(t('In 80 % of the nights by'), (forecast) => describeEnd(forecast, 'p80', moment)),
    both(t('Tasks likely late'), ({ tasks }) => String(tasks.filter(isLate).length)),
    both(t('Cost'), describeCost),
    both(t('Usage limits reached'), describeLimits),
  ];
}

/**
 * Lists the tasks that start or end at other times, or have other risks, in the order of the queue. While times are
 * unknown, another place counts as another time.
 */
export function listDifferences({ now, then }: Comparison): readonly ComparedTask[] {
  const changed = new Map(then.tasks.map((task) => [task.id, task]));
  return now.tasks.flatMap((task) => {
    const other = changed.get(task.id);
    return other === undefined || isSame(task, other, { now, then }) ? [] : [{ now: task, then: other }];
  });
}

function isSame(task: TaskForecast, other: TaskForecast, { now, then }: Comparison): boolean {
  if (describeRisks(task) !== describeRisks(other)) return false;
  return now.isTimeKnown
    ? isSameRange(task.start, other.start) && isSameRange(task.end, other.end)
    : now.order.indexOf(task.id) === then.order.indexOf(task.id);
}

const isSameRange = (one: Range | null, other: Range | null): boolean =>
  one?.p50 === other?.p50 && one?.p80 === other?.p80;

/** Describes when a task starts; with unknown times its place in the order. */
export function describeStart(
  { id, start }: TaskForecast,
  { isTimeKnown, order }: Forecast,
  moment: Moment,
): string {
  if (start === null) return t('does not start');
  if (isTimeKnown) return formatTimes(start, true, moment);
  return t('place {0}', order.indexOf(id) + 1);
}

/** Describes what differs, in short sentences, the most important one first, then what both assume. */
export function describeDifferences(comparison: Comparison, moment: Moment): readonly string[] {
  const found = listDifferences(comparison);
  const sentences = describeFound(found, comparison, moment);
  const same = found.length === 0 ? describeSame(comparison) : t('Only the ranges of times differ.');
  return [...(sentences.length === 0 ? [same] : sentences), ...describeAssumption(comparison)];
}

function describeSame({ now }: Comparison): string {
  return now.isTimeKnown ? t('Nothing differs.') : t('The order is the same; times are unknown.');
}

function describeAssumption({ assumedSlots }: Comparison): string[] {
  if (assumedSlots === undefined) return [];
  return [
    t(
      'Both forecasts assume "claude-queue work --workers {0}"; by default a worker runs one task at a time.',
      assumedSlots,
    ),
  ];
}

function describeFound(
  found: readonly ComparedTask[],
  comparison: Comparison,
  moment: Moment,
): readonly string[] {
  const { now, then } = comparison;
  const tasks = (text: (ids: string) => string, has: (task: ComparedTask) => boolean): string[] => {
    const ids = found.filter(has).map((task) => task.now.id);
    return ids.length === 0 ? [] : [text(nameTasks(ids))];
  };
  const isThere = ({ start }: TaskForecast): boolean => start !== null;
  const moves = movesOf(comparison);
  return [
    ...describeNewEnd(comparison, moment),
    ...tasks(
      (ids) => t('No longer likely late: {0}.', ids),
      (task) => isLate(task.now) && !isLate(task.then),
    ),
    ...tasks(
      (ids) => t('Likely late then: {0}.', ids),
      (task) => !isLate(task.now) && isLate(task.then),
    ),
    ...tasks(
      (ids) => t('Start in addition: {0}.', ids),
      (task) => !isThere(task.now) && isThere(task.then),
    ),
    ...tasks(
      (ids) => t('No longer start: {0}.', ids),
      (task) => isThere(task.now) && !isThere(task.then),
    ),
    ...tasks(
      (ids) => t('Start earlier: {0}.', ids),
      (task) => moves(task) < 0,
    ),
    ...tasks(
      (ids) => t('Start later: {0}.', ids),
      (task) => moves(task) > 0,
    ),
    ...describeNewSum(t('Cost'), describeCost(now), describeCost(then)),
    ...describeNewSum(t('Usage limits reached'), describeLimits(now), describeLimits(then)),
  ];
}

/** Returns how far each task moves: its time, or its place while times are unknown. 0: it starts in only one of the two. */
function movesOf({ now, then }: Comparison): (task: ComparedTask) => number {
  const placeIn = ({ isTimeKnown, order }: Forecast, { id, start }: TaskForecast): number =>
    isTimeKnown ? toMinutes(start?.p50 ?? 0) : order.indexOf(id);
  return (task) =>
    task.now.start === null || task.then.start === null
      ? 0
      : placeIn(then, task.then) - placeIn(now, task.now);
}

const toMinutes = (ms: number): number => Math.floor(ms / 60_000);

function describeNewEnd({ now, then }: Comparison, moment: Moment): string[] {
  const [before, after] = [describeEnd(now, 'p50', moment), describeEnd(then, 'p50', moment)];
  return before === after ? [] : [t('Last task likely completed: {0} instead of {1}.', after, before)];
}

function describeNewSum(label: string, before: string, after: string): string[] {
  return before === after ? [] : [t('{0}: {1} instead of {2}.', label, after, before)];
}

const isLate = (task: TaskForecast): boolean => isRisky({ needsUser: 0, late: task.late });

function describeEnd({ tasks, isTimeKnown }: Forecast, share: keyof Range, moment: Moment): string {
  const last = findLastEnd(tasks, share);
  if (last === null) return t('none');
  if (!isTimeKnown) return t('unknown');
  const at = formatShortTime(last.at, moment);
  return last.isOfAll ? at : t('{0} or later', at);
}

function describeCost({ costUsd, isCostPartial, isTimeKnown }: Forecast): string {
  if (!isTimeKnown || costUsd.p50 === null) return t('unknown');
  const cost = formatEstimatedUsd(costUsd.p50);
  return isCostPartial ? t('at least {0}', cost) : cost;
}

function describeLimits({ limits, isUsageKnown }: Forecast): string {
  return isUsageKnown ? String(limits.p50 ?? 0) : t('unknown');
}
