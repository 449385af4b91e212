import { groupBy } from '../lists';
import type { Attempt } from './attempt';
import type { TaskId } from './task';

/** Groups attempts by their tasks. Those of a task stay in their order. */
export function groupByTask(attempts: Iterable<Attempt>): ReadonlyMap<TaskId, readonly Attempt[]> {
  return groupBy(attempts, ({ id }) => id);
}
