import { FAILED_CODE, OUTCOMES, type Attempt } from '../../domain/task/attempt';
import { PRIORITIES, type Priority } from '../../domain/task/priority';
import type { EpochMs } from '../../domain/time/epoch';
import { listRunTimes } from '../../domain/task/runTime';
import { SKIP_CAUSES } from '../../domain/time/skippedTimes';
import type { TaskSkips } from '../viewModel/taskSkips';
import type { Metric, Sample } from './metric';
import { toSeconds } from './queueMetrics';

/** Upper bounds of the durations, in seconds. */
export const DURATION_BUCKETS = [1, 5, 10, 30, 60, 120, 300, 600] as const;

/** History of a queue from the time on from which counters count. */
export interface CountedHistory {
  readonly since: EpochMs;
  /** Attempts that ended since then. */
  readonly attempts: readonly Attempt[];
  /** Due times that were skipped since then. */
  readonly skipped: readonly TaskSkips[];
}

/** Returns the metrics of what happened. */
export function measureHistory({ since, attempts, skipped }: CountedHistory): readonly Metric[] {
  return [
    {
      name: 'claude_proxy_tasks_total',
      help: 'Attempts that ended their task or its occurrence, by the state that they left it in.',
      type: 'counter',
      samples: ENDS.flatMap((status) =>
        countByPriority(
          attempts.filter((attempt) => endOf(attempt) === status),
          { status },
        ),
      ),
    },
    {
      name: 'claude_proxy_attempts_total',
      help: 'Attempts that ended, by outcome.',
      type: 'counter',
      samples: OUTCOMES.flatMap((outcome) =>
        countByPriority(
          attempts.filter((attempt) => attempt.outcome === outcome),
          { outcome },
        ),
      ),
    },
    measureDurations(attempts),
    {
      name: 'claude_proxy_sla_violations_total',
      help: 'Attempts that ended after the service time or deadline of their task.',
      type: 'counter',
      samples: countByPriority(attempts.filter(({ late }) => late === true)),
    },
    {
      name: 'claude_proxy_starvation_promotions_total',
      help: 'Attempts whose task had waited long enough to start with a higher priority than that of its row.',
      type: 'counter',
      samples: PROMOTIONS.map(([from, to]) => ({
        labels: { from, to },
        value: attempts.filter((one) => one.promotedFrom === from && one.priority === to).length,
      })),
    },
    {
      name: 'claude_proxy_occurrences_missed_total',
      help: 'Due times of repeating tasks that got no run of their own, by reason.',
      type: 'counter',
      samples: countMissed(skipped),
    },
    {
      name: 'claude_proxy_counters_start_timestamp_seconds',
      help: 'Time from which the counters count: the start of the month in UTC, or of the day if history is kept for less than a month.',
      type: 'gauge',
      samples: [{ labels: {}, value: toSeconds(since) }],
    },
  ];
}

/** States in which an attempt may leave its task. */
const ENDS = ['completed', 'review', 'failed', 'cancelled'] as const;

/** Returns the state in which an attempt left its task, or its occurrence; null: the task runs again. */
function endOf({ outcome, reason, code }: Attempt): (typeof ENDS)[number] | null {
  if (outcome === 'success') return 'completed';
  if (outcome === 'review') return 'review';
  if (code === FAILED_CODE) return 'failed';
  return outcome === 'cancelled' && reason === 'cancelled' ? 'cancelled' : null;
}

const PROMOTIONS: readonly (readonly [from: Priority, to: Priority])[] = [
  ['medium', 'high'],
  ['low', 'medium'],
  ['low', 'high'],
];

/** Label of attempts from before priorities were stored. */
const UNKNOWN = 'unknown';

/** Counts by effective priority at the claim. Every priority has a value, so that a first event is an increase. */
function countByPriority(
  attempts: readonly Attempt[],
  labels: Readonly<Record<string, string>> = {},
): readonly Sample[] {
  const unknown = attempts.filter(({ priority }) => priority === undefined).length;
  return [
    ...PRIORITIES.map((priority) => ({
      labels: { ...labels, priority },
      value: attempts.filter((attempt) => attempt.priority === priority).length,
    })),
    ...(unknown === 0 ? [] : [{ labels: { ...labels, priority: UNKNOWN }, value: unknown }]),
  ];
}

/** Measures the attempts whose running time is known. */
function measureDurations(attempts: readonly Attempt[]): Metric {
  const secondsOf = (priority: Priority | undefined): readonly number[] =>
    listRunTimes(attempts.filter((attempt) => attempt.priority === priority)).map(toSeconds);
  const unknown = secondsOf(undefined);
  return {
    name: 'claude_proxy_task_duration_seconds',
    help: 'Duration of attempts.',
    type: 'histogram',
    buckets: DURATION_BUCKETS,
    series: [
      ...PRIORITIES.map((priority) => ({
        labels: { priority },
        values: secondsOf(priority),
      })),
      ...(unknown.length === 0 ? [] : [{ labels: { priority: UNKNOWN }, values: unknown }]),
    ],
  };
}

function countMissed(skipped: readonly TaskSkips[]): readonly Sample[] {
  const times = skipped.flatMap((task) => task.times);
  return SKIP_CAUSES.map((reason) => ({
    labels: { reason },
    value: times.filter(({ why }) => why === reason).reduce((sum, { count }) => sum + count, 0),
  }));
}
