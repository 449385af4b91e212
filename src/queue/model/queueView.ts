import { findFullHold } from '../../domain/queue/pauses';
import type { Where } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { QueueView, TaskView } from '../../domain/queue/view';
import type { RowSet } from './rows';
import { currentTask, type QueueState } from './queueState';

/** Returns rows and state as the domain's rules see them. */
export function viewQueue(state: QueueState, rows: RowSet): QueueView {
  const { claims, holds, pauses, streak, turns, starts, costs } = state;
  return {
    tasks: viewTasks(state, rows),
    invalidIds: rows.invalidIds,
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

/**
 * Returns the tasks, or those with these ids. Leaves out rows that the history has not seen as they are now. These are
 * rows of a new file that is only looked at, or rows changed in a file that is not whole. An approval of the earlier
 * row does not cover them.
 */
export function viewTasks(state: QueueState, { rows }: RowSet, ids?: ReadonlySet<TaskId>): TaskView[] {
  const tasks: TaskView[] = [];
  for (const [order, { definition, power }] of rows.entries()) {
    if (ids?.has(definition.id) === false) continue;
    const task = currentTask(state, definition.id);
    if (task?.power !== power) continue;
    const claim = state.claims.get(definition.id);
    tasks.push({ definition, state: task, order, ...(claim === undefined ? {} : { claim }) });
  }
  return tasks;
}

/** Returns the place of each task's row. */
export function placesOf({ rows }: RowSet): ReadonlyMap<TaskId, Where> {
  return new Map(rows.map(({ definition, where }) => [definition.id, where]));
}
