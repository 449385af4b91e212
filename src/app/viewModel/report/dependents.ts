import type { TaskId } from '../../../domain/task/task';
import type { QueueViewModel } from '../queueViewModel';

/** Returns a function that lists the tasks that wait for one, directly or not. */
export function dependentsIn({ tasks }: QueueViewModel): (id: TaskId) => readonly TaskId[] {
  const waiting = new Map<TaskId, TaskId[]>();
  for (const { task, reason } of tasks) {
    if (reason.state !== 'blocked' && reason.state !== 'stuck') continue;
    const { id, dependencies } = task.definition;
    for (const other of dependencies) {
      const known = waiting.get(other);
      if (known === undefined) waiting.set(other, [id]);
      else known.push(id);
    }
  }
  return (id) => {
    const found = new Set<TaskId>();
    const queue = [id];
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      for (const own of waiting.get(next) ?? [])
        if (!found.has(own) && own !== id) {
          found.add(own);
          queue.push(own);
        }
    return [...found].sort((one, other) => one - other);
  };
}
