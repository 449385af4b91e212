import type { TaskId } from '../../../src/domain/task/task';
import type { QueueViewModel } from '../../../src/app/viewModel/queueViewModel';
import { groupTasks, type Surroundings } from '../../../src/editor/tree/rows/taskGroups';
import { workerOf } from '../../conformance/harness';
import { composeRoots } from '../../../src/editor/tree/rows/rootRows';
import { DEFAULT_OPTIONS, type TreeOptions } from '../../../src/editor/tree/rows/treeOptions';
import type { TreeRow } from '../../../src/editor/tree/rows/treeRow';

/** The groups of the tree, by state if nothing else is said. */
export function groupsOf(
  viewModel: QueueViewModel,
  { options = {}, around = {} }: { options?: Partial<TreeOptions>; around?: Partial<Surroundings> } = {},
): readonly TreeRow[] {
  return groupTasks(
    viewModel,
    { ...DEFAULT_OPTIONS, ...options },
    {
      ...{ notes: new Map(), byRisk: new Map(), live: new Map(), starts: new Map() },
      now: viewModel.world.now,
      ...around,
    },
  );
}

/** The rows of all groups, without the groups. */
export function rowsOf(...args: Parameters<typeof groupsOf>): readonly TreeRow[] {
  return groupsOf(...args).flatMap(({ children = [] }) => children);
}

const NOTHING_MORE = { notes: new Map<TaskId, string>(), byRisk: new Map<TaskId, number>() };

/** The rows of two folders with the same tasks; a worker runs for the second one. */
export function rootsOf(viewModel: QueueViewModel): readonly TreeRow[] {
  const { snapshot, world } = viewModel;
  const working = { ...snapshot, workers: [{ owner: workerOf(1), since: world.now }] };
  const queues = [snapshot, working].map((each, index) => ({
    ...{ key: `/${String(index)}`, name: String(index), live: new Map(), starts: new Map() },
    state: { kind: 'ready', viewModel: { ...viewModel, snapshot: each }, ...NOTHING_MORE } as const,
  }));
  return composeRoots(queues, DEFAULT_OPTIONS, { now: world.now, isTrusted: true });
}
