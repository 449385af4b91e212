import { formatMinute } from '../../../domain/time/localTime';
import { formatDuration } from '../../../domain/time/duration';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatTime, type Moment } from '../../../domain/time/moment';
import { describePartialDiff, formatCost, listOutcomes } from '../counts';
import { capitalize } from '../../../platform/text/plainText';
import { t } from '../../../platform/text/translate';
import { LEAST_ATTEMPTS } from '../../simulate/pastAttempts';
import type { ForecastAccuracy } from '../../viewModel/report/forecastAccuracy';
import type { NightReport, Stop } from '../../viewModel/report/nightReport';
import type { ReportedTask } from '../../viewModel/report/reportedTask';
import { needsAction } from '../../viewModel/report/risk';
import type { CountedEnd, TaskEnd } from '../../viewModel/report/taskEnd';
import { COMMA } from '../text';

const MINUTE_MS = 60_000;

/** Names of the states of tasks at the end of a period, in at most 12 characters. */
export const END_NAMES: Readonly<Record<TaskEnd, string>> = {
  checked: t('checked'),
  unchecked: t('not checked'),
  accepted: t('done by you'),
  undone: t('undone'),
  review: t('review'),
  failed: t('failed'),
  stuck: t('stuck'),
  interrupted: t('interrupted'),
  running: t('running'),
  continues: t('to be continued'),
  waiting: t('not started'),
  cancelled: t('cancelled'),
  removed: t('row removed'),
  changed: t('row changed'),
};

const END_COUNTS: Readonly<Record<CountedEnd, (count: number) => string>> = {
  checked: (count) => t('{0} done and checked', count),
  unchecked: (count) => t('{0} done without a check', count),
  accepted: (count) => t('{0} done by you', count),
  undone: (count) => t('{0} undone', count),
  review: (count) => t('{0} in review', count),
  failed: (count) => t('{0} failed', count),
  stuck: (count) => t('{0} stuck', count),
  interrupted: (count) => t('{0} interrupted', count),
  running: (count) => t('{0} running', count),
  continues: (count) => t('{0} to be continued', count),
  waiting: (count) => t('{0} not started', count),
  cancelled: (count) => t('{0} cancelled', count),
  removed: (count) => t('{0} with a removed row', count),
};

/** Says in one sentence what the user must do. */
export function summarizeReport({ needs, stops, idle }: NightReport): string {
  const must = needs.filter(({ risk }) => needsAction(risk)).length;
  const looks = needs.length - must;
  const look = looks === 0 ? [] : [looks === 1 ? t('1 is worth a look') : t('{0} are worth a look', looks)];
  const need =
    must === 0 ? [] : [must === 1 ? t('1 task needs attention') : t('{0} tasks need attention', must)];
  if (stops.some(({ kind }) => kind !== 'rows'))
    return [
      idle.length > 0 ? t('No task starts until you act') : t('The queue needs attention'),
      ...need,
      ...look,
    ].join(COMMA);
  const all = [...stops.map((rows) => describeStop(rows)), ...need];
  const parts = [...(all.length === 0 ? [t('Nothing needs attention')] : all), ...look];
  // Some languages put the number last.
  return capitalize(parts.join(COMMA));
}

/** Describes the period: from when to when. */
export function describePeriod({ from, until, timeZone }: NightReport): string {
  const [start, end] = [formatMinute(from, timeZone), formatMinute(until, timeZone)];
  return t('{0} to {1} ({2})', start, end, formatDuration(until - from));
}

/** Describes how many tasks ended how: `14 tasks = 11 done and checked + 1 failed + 2 not started`. */
export function describeTaskCounts({ ends, tasks, before }: NightReport): string {
  const parts = ends.map(({ end, count }) => END_COUNTS[end](count)).join(' + ');
  const total = countTasks(ends);
  const sum = total === 1 ? t('1 task = {0}.', parts) : t('{0} tasks = {1}.', total, parts);
  const changed = tasks.filter(({ end }) => end === 'changed').length;
  return [
    total === 0 ? t('No tasks.') : sum,
    ...(changed === 0 ? [] : [t('({0} with attempts before the row changed.)', changed)]),
    ...(before === 0 ? [] : [t('({0} ended, with no known attempt in this time.)', before)]),
  ].join(' ');
}

/** Returns the number of tasks that are counted. */
export function countTasks(ends: NightReport['ends']): number {
  return ends.reduce((sum, { count }) => sum + count, 0);
}

/** Describes how many attempts ended how; the sum is that of all that are known. */
export function describeAttemptCounts(report: NightReport): string {
  const { knownFrom } = report;
  const counts = countAttempts(report);
  return knownFrom === null ? counts : `${counts} ${describeArchived(knownFrom, report)}`;
}

/** Says which attempts the sums may lack. */
export function describeArchived(knownFrom: EpochMs, { timeZone }: Pick<Moment, 'timeZone'>): string {
  return t('Not counted: archived attempts that ended before {0}.', formatMinute(knownFrom, timeZone));
}

function countAttempts({ sums, unended, lastBefore, ...moment }: NightReport): string {
  const { running, died } = unended;
  const all = sums.attempts + running + died;
  if (all === 0) {
    return lastBefore === null
      ? t('No attempts.')
      : t('No attempts. The last one ended at {0}.', formatTime(lastBefore, moment));
  }
  const parts = [
    ...listOutcomes(sums.outcomes),
    ...(running === 0 ? [] : [t('{0} running', running)]),
    ...(died === 0 ? [] : [t('{0} whose worker died', died)]),
  ].join(' + ');
  return all === 1 ? t('1 attempt = {0}.', parts) : t('{0} attempts = {1}.', all, parts);
}

/** Describes the cost of the attempts that ended; says what is not known. Null: no attempt has ended. */
export function describeCost({ sums }: NightReport): string | null {
  const { attempts, attemptsWithoutCost } = sums;
  if (attempts === 0) return null;
  const isPartial = attemptsWithoutCost > 0 && attemptsWithoutCost < attempts;
  return isPartial
    ? t('Cost: {0}; unknown for {1} of {2} attempts.', formatCost(sums), attemptsWithoutCost, attempts)
    : t('Cost: {0}.', formatCost(sums));
}

/**
 * Describes how long accepted work took: `Accepted: 3. Per task: 12 min of attempts (mean), 40 min until you accepted it
 * (median).` Null: nothing was accepted.
 */
export function describeAccepted({ accepted }: NightReport): string | null {
  if (accepted === null) return null;
  const { tasks, attemptsMs, waitedMs } = accepted;
  return t(
    'Accepted: {0}. Per task: {1} min of attempts (mean), {2} min until you accepted it (median).',
    ...[tasks, toMinutes(attemptsMs), toMinutes(waitedMs)],
  );
}

/** Share of the starts that should come by the time that is given as likely. */
const LIKELY = 0.8;

/**
 * Describes how far off the forecast was: `Forecast, computed again from earlier attempts: 9 of 12 starts came by the time
 * given as likely, 10 were expected (80 %); half were at most 6 min off.` Null: nothing has started. Forecasts that
 * were shown are not kept: each edit of the queue makes another one.
 */
export function describeForecast({ forecast }: NightReport): string | null {
  if (forecast === null) return null;
  if (forecast.kind === 'unknown') return describeUnknownForecast(forecast);
  const { held, of, offMs } = forecast.start;
  const counts = [held, of, Math.round(LIKELY * of)];
  if (offMs === null)
    return t(
      'Forecast, computed again from earlier attempts: {0} of {1} starts came by the time given as likely, {2} were expected (80 %).',
      ...counts,
    );
  if (offMs < MINUTE_MS)
    return t(
      'Forecast, computed again from earlier attempts: {0} of {1} starts came by the time given as likely, {2} were expected (80 %); half were less than a minute off.',
      ...counts,
    );
  return t(
    'Forecast, computed again from earlier attempts: {0} of {1} starts came by the time given as likely, {2} were expected (80 %); half were at most {3} off.',
    ...[...counts, formatDuration(offMs)],
  );
}

function describeUnknownForecast(forecast: Extract<ForecastAccuracy, { kind: 'unknown' }>): string {
  switch (forecast.why) {
    case 'few-attempts':
      return t('Forecast: unknown, because fewer than {0} attempts had ended before.', LEAST_ATTEMPTS);
    case 'no-task':
      return t('Forecast: unknown, because no task that waited at the start is left to compare.');
    case 'too-many':
      return t(
        'Forecast: not compared, because {0} tasks take too long. Run "claude-queue simulate --backtest".',
        forecast.tasks,
      );
  }
}

/** Returns a time in minutes, with one decimal below ten. */
export function toMinutes(ms: number): number {
  const minutes = ms / 60_000;
  return minutes < 10 ? Math.round(minutes * 10) / 10 : Math.round(minutes);
}

/** Formats the changes of a task: `+12 -3 in 2 files`, `unknown`, `undone`; empty: it was not attempted. */
export function formatChanges({ diff, isDiffPartial, isUndone, attempts }: ReportedTask): string {
  if (attempts.length === 0) return '';
  if (isUndone) return t('undone');
  return describePartialDiff(diff, isDiffPartial);
}

/** Describes a fact that stops the queue. */
export function describeStop({ kind, text }: Stop): string {
  if (kind !== 'rows') return text;
  return text === '1' ? t('1 row cannot be read') : t('{0} rows cannot be read', text);
}
