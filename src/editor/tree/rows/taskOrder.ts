import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { ByRisk } from '../../state/queueState';
import { BY_HARM, GROUPS, groupOf } from './groupNames';

/**
 * Returns tasks that need attention, or the first of them: the most harmful state first, and in review the riskier task
 * first.
 */
export function byHarm(
  tasks: readonly TaskViewModel[],
  byRisk: ByRisk,
  most?: number,
): readonly TaskViewModel[] {
  const rank = ({ task, reason }: TaskViewModel): Rank => [
    BY_HARM.indexOf(reason.state),
    byRisk.get(task.definition.id) ?? 0,
    0,
  ];
  return takeFirst(tasks, rank, most);
}

/** Numbers by which a task is sorted: by the first, then by the second, then by the third. */
type Rank = readonly [number, number, number];

/**
 * Returns the first tasks in the order of their groups, and within a group: the longest running first, next ones by their place,
 * waiting ones by what they wait for (other tasks, then the soonest time), ended ones with the latest success first.
 */
export function inOrder(tasks: readonly TaskViewModel[], most: number): readonly TaskViewModel[] {
  return takeFirst(tasks, rankOf, most);
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

interface Ranked {
  readonly shown: TaskViewModel;
  readonly rank: Rank;
}

/** Returns the first tasks by their ranks; equal ones stay in order. Few of thousands are shown, so only these are sorted. */
function takeFirst(
  tasks: readonly TaskViewModel[],
  rankOf: (shown: TaskViewModel) => Rank,
  most = Infinity,
): readonly TaskViewModel[] {
  if (tasks.length <= most) {
    const ranked = tasks.map((shown) => ({ shown, rank: rankOf(shown) }));
    return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ shown }) => shown);
  }
  const first: Ranked[] = [];
  for (const shown of tasks) {
    const rank = rankOf(shown);
    const last = first.at(-1);
    if (first.length >= most && last !== undefined && compareRanks(rank, last.rank) >= 0) continue;
    first.splice(findPlace(first, rank), 0, { shown, rank });
    if (first.length > most) first.pop();
  }
  return first.map(({ shown }) => shown);
}

/** Returns the index behind all that are not after this rank. */
function findPlace(sorted: readonly Ranked[], rank: Rank): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle];
    if (other !== undefined && compareRanks(other.rank, rank) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Written out: all tasks are compared at each change of the queue. */
function compareRanks(a: Rank, b: Rank): number {
  return compare(a[0], b[0]) || compare(a[1], b[1]) || compare(a[2], b[2]);
}

/** Compares numbers, also infinite ones, of which there is no difference. */
function compare(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}
