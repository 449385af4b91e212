import type { TaskId } from '../../../domain/task/task';
import type { QueueViewModel } from '../queueViewModel';

/** Returns a function that lists the tasks that wait for one, directly or not. */
export function dependentsIn({ tasks }: QueueViewModel): (id: TaskId) => readonly TaskId[] {
  const open = tasks
    .filter(({ reason }) => reason.shown === 'blocked' || reason.shown === 'stuck')
    .map(({ task }) => task.definition);
  return (id) => {
    const found = new Set<TaskId>();
    const queue = [id];
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      for (const { id: own, dependencies } of open)
        if (!found.has(own) && own !== id && dependencies.includes(next)) {
          found.add(own);
          queue.push(own);
        }
    return [...found].sort((one, other) => one - other);
  };
}
