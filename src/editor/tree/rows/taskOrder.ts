import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { ByRisk } from '../../state/queueState';
import { BY_HARM, GROUPS, groupOf } from './groupNames';

/** Returns tasks that need attention: the most harmful state first, and in review the riskier task first. */
export function byHarm(tasks: readonly TaskViewModel[], byRisk: ByRisk): readonly TaskViewModel[] {
  return sortBy(tasks, ({ task, reason }) => [
    BY_HARM.indexOf(reason.state),
    byRisk.get(task.definition.id) ?? 0,
    0,
  ]);
}

/** Numbers by which a task is sorted: by the first, then by the second, then by the third. */
type Rank = readonly [number, number, number];

/**
 * Returns tasks in the order of their groups, and within a group: the longest running first, next ones by their place,
 * waiting ones by what they wait for (other tasks, then the soonest time), ended ones with the latest success first.
 */
export function inOrder(tasks: readonly TaskViewModel[]): readonly TaskViewModel[] {
  return sortBy(tasks, rankOf);
}

function rankOf(shown: TaskViewModel): Rank {
  const { task, reason, place } = shown;
  const name = groupOf(shown);
  const group = GROUPS.indexOf(name);
  switch (name) {
    case 'attention':
      return [group, BY_HARM.indexOf(reason.state), 0];
    case 'running':
      return [group, task.claim?.at ?? 0, 0];
    case 'next':
      return [group, place ?? Infinity, 0];
    case 'waiting':
      return [
        group,
        reason.waitsFor === 'task' ? task.definition.dependencies.length : Infinity,
        reason.until ?? Infinity,
      ];
    case 'done':
      return [group, -(task.state.lastSuccessAt ?? 0), 0];
  }
}

/** Sorts by ranks that are computed once for each task. The order of equal ones stays. */
function sortBy(
  tasks: readonly TaskViewModel[],
  rank: (shown: TaskViewModel) => Rank,
): readonly TaskViewModel[] {
  return tasks
    .map((shown) => ({ shown, rank: rank(shown) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ shown }) => shown);
}

/** Written out: all tasks are compared at each change of the queue. */
function compareRanks(a: Rank, b: Rank): number {
  return compare(a[0], b[0]) || compare(a[1], b[1]) || compare(a[2], b[2]);
}

/** Compares numbers, also infinite ones, of which there is no difference. */
function compare(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}
