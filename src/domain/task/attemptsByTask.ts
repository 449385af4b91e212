import type { Attempt } from './attempt';
import type { TaskId } from './task';

/** Groups attempts by their tasks. Those of a task stay in their order. */
export function groupByTask(attempts: Iterable<Attempt>): ReadonlyMap<TaskId, readonly Attempt[]> {
  const byTask = new Map<TaskId, Attempt[]>();
  for (const attempt of attempts) {
    const own = byTask.get(attempt.id);
    if (own === undefined) byTask.set(attempt.id, [attempt]);
    else own.push(attempt);
  }
  return byTask;
}
