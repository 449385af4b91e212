import type { Attempt } from '../../domain/task/attempt';
import { groupByTask } from '../../domain/task/attemptsByTask';
import type { World } from '../../domain/reasons/world';
import { formatTime, type Moment } from '../../domain/time/moment';
import { formatMissed } from '../present/reasons/amounts';
import { occurrencesOf } from '../../domain/time/occurrences';
import type { SkippedTimes } from '../../domain/time/skippedTimes';
import type { TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import { isoOrNull } from '../present/text';
import { describePause, describeSkip } from '../present/occurrence';

const DAY_MS = 24 * 3_600_000;

/** Due times of a task that were skipped. */
export interface TaskSkips {
  readonly id: TaskId;
  readonly times: readonly SkippedTimes[];
}

/**
 * Returns the due times of each task that were skipped since a time, by default in the last day. `attempts` holds at
 * least those since then, newest first.
 */
export function findSkippedTimes(
  world: World,
  attempts: readonly Attempt[],
  since = world.now - DAY_MS,
): TaskSkips[] {
  const byTask = groupByTask(attempts.toReversed());
  return world.queue.tasks.flatMap((task) => {
    const { id, repeat } = task.definition;
    if (repeat === undefined) return [];
    const times = occurrencesOf(task, byTask.get(id) ?? [], world).flatMap(
      ({ end, dueAt, lastDueAt, count }) =>
        end.kind === 'skipped' && lastDueAt > since
          ? [{ why: end.why, from: dueAt, to: lastDueAt, count, ...pauseOf(end) }]
          : [],
    );
    return times.length === 0 ? [] : [{ id, times }];
  });
}

type PauseFacts = Pick<SkippedTimes, 'pause' | 'bound'>;

function pauseOf({ pause, bound }: PauseFacts): PauseFacts {
  return { ...(pause === undefined ? {} : { pause }), ...(bound === undefined ? {} : { bound }) };
}

/** Describes skipped times, one line for each or for several in a row with the same cause. */
export function describeSkippedTimes(skips: readonly TaskSkips[], moment: Moment): string[] {
  return skips.flatMap(({ id, times }) =>
    times.map((skipped) =>
      t('Skipped: task {0} at {1}: {2}.', id, describeTimes(skipped, moment), describeSkip(skipped, moment)),
    ),
  );
}

function describeTimes({ from, to, count }: SkippedTimes, moment: Moment): string {
  if (count === 1) return formatTime(from, moment);
  return t('{0} to {1} ({2} times)', formatTime(from, moment), formatTime(to, moment), formatMissed(count));
}

/** JSON of skipped times. */
export function skippedTimesAsJson(skips: readonly TaskSkips[], moment: Moment): object[] {
  return skips.flatMap(({ id, times }) =>
    times.map(({ from, to, count, why, ...facts }) => ({
      task: id,
      dueAt: isoOrNull(from),
      lastDueAt: isoOrNull(to),
      count,
      because: why,
      pause: describePause(facts, moment),
    })),
  );
}
