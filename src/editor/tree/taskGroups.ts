import type { QueueViewModel, TaskViewModel } from '../../app/viewModel/queueViewModel';
import { count } from '../../app/present/text';
import { rowNumberOf } from '../../domain/problem';
import type { Notes } from '../state/queueState';
import { GROUP_OF, GROUPS, type GroupName } from './groupNames';
import { toProblemRow, toTaskRow, type TaskRow } from './taskRow';

/** Group with its first rows; an empty one is not shown. */
export interface TaskGroup {
  readonly name: GroupName;
  /** Number of its rows, shown or not. */
  readonly size: number;
  readonly rows: readonly TaskRow[];
  /** Set if it was read before the queue could no longer be read. */
  readonly isLastKnown?: boolean;
}

/** Maximum number of rows in a group: the editor receives all of them at each change. */
export const MOST_ROWS = 500;

/**
 * Groups the tree's rows, at most `MOST_ROWS` each: first those that only wait for a free slot, in the order in which they
 * will start, then the others in the order of the file.
 */
export function groupTasks({ snapshot, tasks, world }: QueueViewModel, notes: Notes): readonly TaskGroup[] {
  const toRow = (shown: TaskViewModel): TaskRow => {
    const { id } = shown.task.definition;
    return toTaskRow(shown, { line: rowNumberOf(snapshot.places.get(id)), world, note: notes.get(id) });
  };
  const groups = new Map<GroupName, TaskViewModel[]>(GROUPS.map((name) => [name, []]));
  for (const task of tasks) groups.get(GROUP_OF[task.reason.shown])?.push(task);
  return GROUPS.map((name) => {
    const own = byPlace(groups.get(name) ?? []);
    const problems = GROUP_OF.invalid === name ? snapshot.problems : [];
    const rows = [...own.slice(0, MOST_ROWS).map(toRow), ...problems.map(toProblemRow)];
    return { name, size: own.length + problems.length, rows: rows.slice(0, MOST_ROWS) };
  }).filter(({ size }) => size > 0);
}

/** Returns the tasks that have a place in the order of their places, then the others. */
function byPlace(tasks: readonly TaskViewModel[]): TaskViewModel[] {
  const placed = tasks.flatMap((task) => (task.place === null ? [] : [{ task, place: task.place }]));
  placed.sort((a, b) => a.place - b.place);
  return [...placed.map(({ task }) => task), ...tasks.filter(({ place }) => place === null)];
}

/** Counts rows of the tree that need attention: of the account, tasks, and invalid rows. */
export function countForUser({ tasks, snapshot, account }: QueueViewModel): number {
  const waiting = tasks.filter(({ reason }) => GROUP_OF[reason.shown] === 'review');
  const needs = account.filter(({ needsUser }) => needsUser);
  return needs.length + waiting.length + snapshot.problems.length;
}

/** Formats a count: `3 items need attention`. */
export function describeAttention(items: number): string {
  return `${count(items, 'item')} ${items === 1 ? 'needs' : 'need'} attention`;
}
