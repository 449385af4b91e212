import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { ByRisk } from '../../state/queueState';
import { BY_HARM, GROUPS, groupOf } from './groupNames';

/** Returns tasks that need attention: the most harmful state first, and in review the riskier task first. */
export function byHarm(tasks: readonly TaskViewModel[], byRisk: ByRisk): readonly TaskViewModel[] {
  return sortBy(tasks, ({ task, reason }) => [
    BY_HARM.indexOf(reason.state),
    byRisk.get(task.definition.id) ?? 0,
  ]);
}

/**
 * Returns tasks in the order of their groups, and within a group: the longest running first, next ones by their place,
 * waiting ones by what they wait for (other tasks, then the soonest time), ended ones with the latest success first.
 */
export function inOrder(tasks: readonly TaskViewModel[]): readonly TaskViewModel[] {
  return sortBy(tasks, rankOf);
}

function rankOf(shown: TaskViewModel): readonly number[] {
  const group = groupOf(shown);
  return [GROUPS.indexOf(group), ...rankWithin(shown, group)];
}

function rankWithin(
  { task, reason, place }: TaskViewModel,
  group: ReturnType<typeof groupOf>,
): readonly number[] {
  switch (group) {
    case 'attention':
      return [BY_HARM.indexOf(reason.state)];
    case 'running':
      return [task.claim?.at ?? 0];
    case 'next':
      return [place ?? Infinity];
    case 'waiting':
      return [
        reason.waitsFor === 'task' ? task.definition.dependencies.length : Infinity,
        reason.until ?? Infinity,
      ];
    case 'done':
      return [-(task.state.lastSuccessAt ?? 0)];
  }
}

/** Sorts by ranks that are computed once for each task. The order of equal ones stays. */
function sortBy(
  tasks: readonly TaskViewModel[],
  rank: (shown: TaskViewModel) => readonly number[],
): readonly TaskViewModel[] {
  return tasks
    .map((shown) => ({ shown, rank: rank(shown) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ shown }) => shown);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((rank, at) => rank !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
