import type { TaskId } from '../../domain/task/task';
import { isUnreviewed, type QueueView, type TaskView } from '../../domain/queue/view';
import type { Snapshot } from '../taskQueue';
import type { Row, RowSet } from './rows';
import { currentTask, type QueueState } from './state/queueState';

/** Returns rows and state as the domain's rules see them, now and later. */
export function viewQueue(
  state: QueueState,
  rows: RowSet,
  tasks: readonly TaskView[] = viewTasks(state, rows),
): QueueView {
  const unreviewed = tasks.filter(isUnreviewed).length;
  const view = viewQueueOf(state, rows, unreviewed, () => tasks);
  return { ...view, turns: new Map(state.turns), starts: [...state.starts], costs: [...state.costs] };
}

/**
 * Returns the same until the state changes, with the tasks that `list` returns when they are needed. `unreviewed` is the
 * number of unreviewed ones.
 */
export function viewQueueOf(
  { claims, holds, pauses, streak, turns, starts, costs }: QueueState,
  { invalidIds }: RowSet,
  unreviewed: number,
  list: () => readonly TaskView[],
): QueueView {
  return {
    get tasks() {
      return list();
    },
    invalidIds,
    claims: [...claims.values()],
    holds,
    pauses,
    streak,
    turns,
    starts,
    costs,
    unreviewed,
  };
}

/** Returns the tasks, or those with these ids. */
export function viewTasks(state: QueueState, { rows }: RowSet, ids?: ReadonlySet<TaskId>): TaskView[] {
  const tasks: TaskView[] = [];
  for (const [order, row] of rows.entries()) {
    if (ids?.has(row.definition.id) === false) continue;
    const task = viewTask(state, row, order);
    if (task !== null) tasks.push(task);
  }
  return tasks;
}

/** Tasks of a queue, kept from read to read: one that did not change is the same object, and so are all of them. */
export class KeptTasks {
  private tasks: readonly TaskView[] = [];

  /** Returns the tasks of this state. */
  read(state: QueueState, { rows }: RowSet): readonly TaskView[] {
    const before = this.tasks;
    const tasks: TaskView[] = [];
    let at = 0;
    for (const [order, row] of rows.entries()) {
      while ((before[at]?.order ?? order) < order) at += 1;
      const task = viewTask(state, row, order, before[at]);
      if (task !== null) tasks.push(task);
    }
    const isSame = tasks.length === before.length && tasks.every((task, index) => task === before[index]);
    this.tasks = isSame ? before : tasks;
    return this.tasks;
  }
}

/**
 * Returns the task of a row, the same object as `before` if that has the same parts. Null: the history has not seen the
 * row as it is now. It is a row of a new file that is only looked at, or one that changed in a file that is not whole. An
 * approval of the earlier row does not cover it.
 */
export function viewTask(
  state: QueueState,
  { definition, power }: Row,
  order: number,
  before?: TaskView,
): TaskView | null {
  const task = currentTask(state, definition.id);
  if (task?.power !== power) return null;
  const claim = state.claims.get(definition.id);
  if (
    before?.definition === definition &&
    before.state === task &&
    before.claim === claim &&
    before.order === order
  )
    return before;
  return { definition, state: task, order, ...(claim === undefined ? {} : { claim }) };
}

/** Returns what a snapshot says about the rows themselves. */
export function viewRows({
  rows,
  problems,
  columns,
}: RowSet): Pick<Snapshot, 'problems' | 'places' | 'columns'> {
  return { problems, columns, places: new Map(rows.map(({ definition, where }) => [definition.id, where])) };
}
