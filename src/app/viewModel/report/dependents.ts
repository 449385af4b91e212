import { findDependents } from '../../../domain/task/dependents';
import type { TaskId } from '../../../domain/task/task';
import type { QueueViewModel } from '../queueViewModel';

/** Returns a function that lists the tasks that wait for one, directly or not, by id. */
export function dependentsIn({ tasks }: Pick<QueueViewModel, 'tasks'>): (id: TaskId) => readonly TaskId[] {
  const waiting = tasks.filter(({ reason: { state } }) => state === 'blocked' || state === 'stuck');
  const find = findDependents(waiting.map(({ task }) => task.definition));
  return (id) => [...find(id)].sort((one, other) => one - other);
}
