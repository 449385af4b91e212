import { sinceLastSuccess, type Attempt } from '../../../domain/task/attempt';
import { groupByTask } from '../../../domain/task/attemptsByTask';
import { listRunTimes } from '../../../domain/task/runTime';
import type { TaskId } from '../../../domain/task/task';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskViewModel } from '../queueViewModel';

/** Time that accepted work took: of Claude, and until the user accepted it. */
export interface Accepted {
  /** Number of times that the user accepted a task. */
  readonly tasks: number;
  /** Median time from the end of the work until it was accepted, in ms. */
  readonly waitedMs: number;
  /** Mean known time of the attempts per accepted task, with those that failed before, in ms. */
  readonly attemptsMs: number;
}

/** Measures what the user accepted since `from`; null: nothing. `attempts` are all known ones, newest first. */
export function measureAccepted(attempts: readonly Attempt[], from: EpochMs): Accepted | null {
  const found = [...groupByTask(attempts).values()].flatMap((own) =>
    own.flatMap(({ power, endedAt, acceptedAt = -Infinity }, index) => {
      if (acceptedAt < from) return [];
      // The attempts of another row with this id did other work.
      const work = sinceLastSuccess(own.slice(index).filter((one) => one.power === power));
      const ms = listRunTimes(work).reduce((sum, one) => sum + one, 0);
      return [{ waitedMs: Math.max(acceptedAt - endedAt, 0), ms }];
    }),
  );
  if (found.length === 0) return null;
  return {
    tasks: found.length,
    waitedMs: medianOf(found.map(({ waitedMs }) => waitedMs)),
    attemptsMs: found.reduce((sum, { ms }) => sum + ms, 0) / found.length,
  };
}

/**
 * Returns the tasks whose last attempt the user accepted since `from`, whenever it ended. `attempts` are all known ones,
 * newest first. An attempt of another row with the id of a task is not its own.
 */
export function findAccepted(
  views: readonly TaskViewModel[],
  attempts: readonly Attempt[],
  from: EpochMs,
): ReadonlySet<TaskId> {
  const byTask = groupByTask(attempts);
  const isAccepted = ({ task }: TaskViewModel): boolean => {
    const last = byTask.get(task.definition.id)?.find(({ power }) => power === task.state.power);
    return last?.acceptedAt !== undefined && last.acceptedAt >= from;
  };
  return new Set(views.filter(isAccepted).map(({ task }) => task.definition.id));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
