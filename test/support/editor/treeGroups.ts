import type { QueueViewModel } from '../../../src/app/viewModel/queueViewModel';
import { groupTasks, type Surroundings } from '../../../src/editor/tree/rows/taskGroups';
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
    { notes: new Map(), live: new Map(), now: viewModel.world.now, ...around },
  );
}

/** The rows of all groups, without the groups. */
export function rowsOf(...args: Parameters<typeof groupsOf>): readonly TreeRow[] {
  return groupsOf(...args).flatMap(({ children = [] }) => children);
}
