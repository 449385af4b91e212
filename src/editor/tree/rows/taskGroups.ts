import { describeFolder } from '../../../app/present/text';
import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { isSelected, parseSelection } from '../../../app/viewModel/taskSelection';
import { groupBy } from '../../../domain/lists';
import { countInvalidRows, rowNumberOf, type RowProblem } from '../../../domain/problem';
import { placeOf } from '../../../domain/task/place';
import { PRIORITIES } from '../../../domain/task/priority';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import type { ByRisk, Ready } from '../../state/queueState';
import type { Starts } from '../../../app/simulate/worthForecasting';
import { GROUP_TITLES, GROUPS, groupOf } from './groupNames';
import { describeResumption } from './resumption';
import { byHarm, inOrder } from './taskOrder';
import { keepTaskRow } from './keptTaskRow';
import { toProblemRow } from './taskRow';
import { FIRST_ROWS, MORE_ROWS, type Grouping, type TreeOptions } from './treeOptions';
import type { TreeRow } from './treeRow';
import { t } from '../../../platform/text/translate';

const MINUTE_MS = 60_000;

/** Facts that the tree shows besides the queue and the user's choices. */
export interface Surroundings extends Pick<Ready, 'notes' | 'byRisk'> {
  /** Last action of Claude in the running attempts. */
  readonly live: ReadonlyMap<TaskId, string>;
  /** Starts that a forecast expects. */
  readonly starts: Starts;
  /** Time until which running tasks have run. */
  readonly now: EpochMs;
}

/** Group of tasks, before its rows are made. */
interface Group {
  readonly key: string;
  readonly title: string;
  /** In no order. */
  readonly tasks: readonly TaskViewModel[];
  /** Returns the first tasks in their order. */
  readonly first: (most: number) => readonly TaskViewModel[];
  readonly problems?: readonly TreeRow[];
  /** Text after the number of rows. */
  readonly note?: string;
  readonly isClosed?: boolean;
}

/** Returns the rows of the tasks in groups; a group without rows is left out. */
export function groupTasks(
  viewModel: QueueViewModel,
  options: TreeOptions,
  { notes, byRisk, live, starts, now }: Surroundings,
): readonly TreeRow[] {
  const { snapshot } = viewModel;
  const world = { ...viewModel.world, now };
  // Only the age of a running task is shown to the second: others change at most once in a minute.
  const slowWorld = { ...world, now: Math.floor(now / MINUTE_MS) * MINUTE_MS };
  const toRow = (shown: TaskViewModel): TreeRow => {
    const { id } = shown.task.definition;
    return keepTaskRow(shown, {
      line: rowNumberOf(snapshot.places.get(id)),
      world: shown.task.claim === undefined ? slowWorld : world,
      note: notes.get(id),
      live: live.get(id),
      start: starts.get(id),
    });
  };
  return groupsOf(viewModel, options, byRisk).flatMap((group) => {
    const problems = group.problems ?? [];
    const size = group.tasks.length + problems.length;
    if (size === 0) return [];
    const limit = options.limits.get(group.key) ?? FIRST_ROWS;
    const rows = [...group.first(limit).map(toRow), ...problems].slice(0, limit);
    return [toGroupRow(group, size, rows)];
  });
}

function toGroupRow({ key, title, note, isClosed }: Group, size: number, rows: readonly TreeRow[]): TreeRow {
  const left = size - rows.length;
  const description = note === undefined ? String(size) : `${String(size)}, ${note}`;
  const spoken = size === 1 ? t('Group {0}, 1 row', title) : t('Group {0}, {1} rows', title, size);
  return {
    key,
    label: title,
    description,
    traits: ['group'],
    spoken: note === undefined ? spoken : `${spoken}, ${note}`,
    children: left === 0 ? rows : [...rows, toRestRow({ key, title }, left)],
    isOpen: isClosed !== true,
  };
}

/** Placeholder for rows that are not shown yet. */
function toRestRow({ key, title }: Pick<Group, 'key' | 'title'>, left: number): TreeRow {
  const more = Math.min(left, MORE_ROWS);
  const label = t('Show {0} More', more);
  return {
    key: `rest-${key}`,
    label,
    description: t('of {0}', left),
    spoken:
      left === 1
        ? t('Show 1 More of 1 row in the group {0}', title)
        : t('Show {0} More of {1} rows in the group {2}', more, left, title),
    icon: ['ellipsis'],
    command: { command: 'showMore', title: label, arguments: [key] },
  };
}

function groupsOf(
  viewModel: QueueViewModel,
  { grouping, filter }: TreeOptions,
  byRisk: ByRisk,
): readonly Group[] {
  const selection = parseSelection(filter);
  const isFiltered = filter.trim() !== '';
  const tasks = isFiltered
    ? viewModel.tasks.filter((shown) => isSelected(shown, selection))
    : viewModel.tasks;
  const problems = isFiltered ? [] : toProblemRows(viewModel.snapshot.problems);
  const byState = groupByState({ tasks, problems }, viewModel, byRisk);
  if (grouping === 'state') return byState;
  const others = tasks.filter((shown) => groupOf(shown) !== 'attention');
  return [...byState.filter(({ key }) => key === 'group-attention'), ...groupByFact(others, grouping)];
}

/** Returns one row for each row of the file that is not valid. */
function toProblemRows(problems: readonly RowProblem[]): readonly TreeRow[] {
  return [...groupBy(problems, ({ row }) => row).values()].map(toProblemRow);
}

function groupByState(
  { tasks, problems }: { readonly tasks: readonly TaskViewModel[]; readonly problems: readonly TreeRow[] },
  viewModel: QueueViewModel,
  byRisk: ByRisk,
): readonly Group[] {
  const byName = groupBy(tasks, groupOf);
  const resumption = describeResumption(viewModel);
  return GROUPS.map((name) => {
    const own = byName.get(name) ?? [];
    return {
      key: `group-${name}`,
      title: GROUP_TITLES[name],
      tasks: own,
      first: (most) => (name === 'attention' ? byHarm(own, byRisk, most) : inOrder(own, most)),
      ...(name === 'attention' ? { problems } : {}),
      ...(name === 'next' && resumption !== null ? { note: resumption } : {}),
      ...(name === 'done' ? { isClosed: true } : {}),
    };
  });
}

function groupByFact(
  tasks: readonly TaskViewModel[],
  grouping: Exclude<Grouping, 'state'>,
): readonly Group[] {
  const byFact = groupBy(tasks, (shown) => factOf(shown, grouping));
  const facts =
    grouping === 'priority' ? PRIORITIES.filter((each) => byFact.has(each)) : [...byFact.keys()].sort();
  return facts.map((fact) => {
    const own = byFact.get(fact) ?? [];
    const done = own.filter((shown) => groupOf(shown) === 'done').length;
    return {
      key: `group-${grouping}-${fact}`,
      title: fact === '' ? NO_USER : fact,
      tasks: own,
      first: (most) => inOrder(own, most),
      ...(done === 0 ? {} : { note: t('{0} done', done) }),
    };
  });
}

const NO_USER = t('No user');

function factOf({ task: { definition } }: TaskViewModel, grouping: Exclude<Grouping, 'state'>): string {
  switch (grouping) {
    case 'priority':
      return definition.priority;
    case 'user':
      return definition.user ?? '';
    case 'folder':
      return describeFolder(placeOf(definition));
  }
}

/** Counts rows of the tree that need attention: of the account, tasks, and invalid rows. */
export function countForUser({ tasks, snapshot, account }: QueueViewModel): number {
  const waiting = tasks.filter((shown) => groupOf(shown) === 'attention');
  const needs = account.filter(({ needsUser }) => needsUser);
  return needs.length + waiting.length + countInvalidRows(snapshot.problems);
}

/** Formats a count: `3 items need attention`. */
export function describeAttention(items: number): string {
  return items === 1 ? t('1 item needs attention') : t('{0} items need attention', items);
}
