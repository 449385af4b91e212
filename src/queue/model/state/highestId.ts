import type { TaskId } from '../../../domain/task/task';
import type { QueueState } from './queueState';

const highest = new WeakMap<QueueState, TaskId>();

/** Returns the highest id that a task of this state ever had; 0: there was none. */
export function highestId(state: QueueState): TaskId {
  const known = highest.get(state);
  if (known !== undefined) return known;
  let found = 0;
  for (const { id } of state.tasks.values()) found = Math.max(found, id);
  highest.set(state, found);
  return found;
}

/** Notes that a task was added to a state. */
export function noteId(state: QueueState, id: TaskId): void {
  const known = highest.get(state);
  if (known !== undefined && id > known) highest.set(state, id);
}

/** Notes that a state has the tasks of another one. */
export function inheritIds(state: QueueState, from: QueueState): void {
  highest.set(state, highestId(from));
}
