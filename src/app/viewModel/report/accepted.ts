import { sinceLastSuccess, type Attempt } from '../../../domain/task/attempt';
import { groupByTask } from '../../../domain/task/attemptsByTask';
import type { EpochMs } from '../../../domain/time/epoch';

/** Time that accepted work took: of Claude, and until the user accepted it. */
export interface Accepted {
  /** Number of times that the user accepted a task. */
  readonly tasks: number;
  /** Median time from the end of the work until it was accepted, in ms. */
  readonly waitedMs: number;
  /** Mean time of the attempts per accepted task, with those that failed before, in ms. */
  readonly attemptsMs: number;
}

/** Measures what the user accepted since `from`; null: nothing. `attempts` are all known ones, newest first. */
export function measureAccepted(attempts: readonly Attempt[], from: EpochMs): Accepted | null {
  const found = [...groupByTask(attempts).values()].flatMap((own) =>
    own.flatMap(({ endedAt, acceptedAt = -Infinity }, index) => {
      if (acceptedAt < from) return [];
      const work = sinceLastSuccess(own.slice(index));
      const ms = work.reduce((sum, one) => sum + one.endedAt - one.startedAt, 0);
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

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
