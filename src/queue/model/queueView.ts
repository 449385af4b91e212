import { findFullHold } from '../../domain/queue/pauses';
import type { Where } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { QueueView, TaskView } from '../../domain/queue/view';
import type { RowSet } from './rows';
import { currentTask, type QueueState } from './queueState';

/**
 * Returns rows and state as the domain's rules see them. Leaves out rows that the history has not seen as they are
 * now. These are rows of a new file that is only looked at, or rows changed in a file that is not whole. An approval
 * of the earlier row does not cover them.
 */
export function viewQueue(state: QueueState, { rows, invalidIds }: RowSet): QueueView {
  const { claims, holds, pauses, streak, turns, starts, costs } = state;
  const tasks: TaskView[] = [];
  for (const [order, { definition, power }] of rows.entries()) {
    const task = currentTask(state, definition.id);
    if (task?.power !== power) continue;
    const claim = claims.get(definition.id);
    tasks.push({ definition, state: task, order, ...(claim === undefined ? {} : { claim }) });
  }
  return {
    tasks,
    invalidIds,
    claims: [...claims.values()],
    holds,
    pauses,
    held: findFullHold(holds) ?? null,
    streak,
    turns,
    starts,
    costs,
  };
}

/** Returns the place of each task's row. */
export function placesOf({ rows }: RowSet): ReadonlyMap<TaskId, Where> {
  return new Map(rows.map(({ definition, where }) => [definition.id, where]));
}
