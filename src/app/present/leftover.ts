import { countInvalidRows } from '../../domain/problem';
import { groupBy } from '../../domain/lists';
import type { TaskId } from '../../domain/task/task';
import { dependentsIn } from '../viewModel/report/dependents';
import type { QueueViewModel } from '../viewModel/queueViewModel';
import { possibleActions } from '../viewModel/possibleActions';
import { count } from './text';
import { quoteCommand } from '../../platform/text/commandName';

/** Describes what does not run until the user acts, one line per kind. */
export function describeLeft({ snapshot, tasks }: Pick<QueueViewModel, 'snapshot' | 'tasks'>): string[] {
  const invalid = countInvalidRows(snapshot.problems);
  const stuck = tasks.filter(({ reason }) => reason.state === 'stuck').length;
  return [
    ...(invalid === 0
      ? []
      : [
          `${count(invalid, 'row')} ${be(invalid)} invalid and will not run: ${quoteCommand('check')} shows why.`,
        ]),
    ...(stuck === 0
      ? []
      : [
          `${count(stuck, 'task')} ${be(stuck)} stuck: a dependency cannot be completed. See ${quoteCommand('status')}.`,
        ]),
    ...describeUnapproved({ tasks }),
  ];
}

/** Describes unapproved tasks: an unattended run cannot ask the user. */
export function describeUnapproved({ tasks }: Pick<QueueViewModel, 'tasks'>): string[] {
  const unapproved = tasks.filter(({ reason }) => reason.state === 'unapproved').length;
  if (unapproved === 0) return [];
  return [
    `${count(unapproved, 'task')} ${unapproved === 1 ? 'waits' : 'wait'} for approval and will not run on this machine until then: ${quoteCommand('approve')}, or "trust" for the whole file.`,
  ];
}

/** Describes tasks that need an answer, and others in review: `in review: tasks 9, 12 (task 15 waits for 9)`. */
export function describeReview({ tasks }: Pick<QueueViewModel, 'tasks'>): string[] {
  const inReview = tasks.filter(({ reason }) => reason.state === 'review');
  const asking = inReview.filter((shown) => possibleActions(shown).has('answer'));
  const others = inReview.filter((shown) => !asking.includes(shown));
  return [
    ...describeAwaited(asking.length === 1 ? 'needs an answer' : 'need an answer', asking, tasks),
    ...describeAwaited('in review', others, tasks),
  ];
}

function describeAwaited(
  what: string,
  awaited: QueueViewModel['tasks'],
  tasks: QueueViewModel['tasks'],
): string[] {
  if (awaited.length === 0) return [];
  const ids = awaited.map(({ task }) => task.definition.id);
  const waits = describeWaits(ids, tasks);
  return [`${what}: ${nameTasks(ids)}${waits === '' ? '' : ` (${waits})`}`];
}

/** Maximum number of groups of tasks that wait for different ones in one line. */
const MOST_GROUPS = 5;

/** Describes which tasks wait for which of these: `task 4 waits for 3; tasks 5, 6 wait for 7`; empty: none does. */
function describeWaits(ids: readonly TaskId[], tasks: QueueViewModel['tasks']): string {
  const dependentsOf = dependentsIn({ tasks });
  const awaitedBy = new Map<TaskId, TaskId[]>();
  for (const id of ids)
    for (const dependent of dependentsOf(id))
      awaitedBy.set(dependent, [...(awaitedBy.get(dependent) ?? []), id]);
  const groups = [...groupBy(awaitedBy, ([, awaited]) => awaited.join())].map(([, group]) => ({
    waiting: group.map(([id]) => id),
    awaited: group[0][1],
  }));
  const all = [...awaitedBy.keys()].sort((one, other) => one - other);
  if (groups.length > MOST_GROUPS) return `${sayWait(all)} for some of them`;
  return groups
    .map(({ waiting, awaited }) => `${sayWait(waiting)} for ${nameAwaited(awaited, ids)}`)
    .join('; ');
}

function sayWait(ids: readonly TaskId[]): string {
  return `${nameTasks(ids)} ${ids.length === 1 ? 'waits' : 'wait'}`;
}

function nameAwaited(awaited: readonly TaskId[], ids: readonly TaskId[]): string {
  if (awaited.length < ids.length) return joinIds(awaited);
  return ids.length === 1 ? 'it' : 'them';
}

/** Maximum number of ids in one line. */
const MOST_NAMED = 50;

/** Names tasks in one line: `task 9`, `tasks 9, 12`, and the number of the others. */
export function nameTasks(ids: readonly TaskId[]): string {
  return `${ids.length === 1 ? 'task' : 'tasks'} ${joinIds(ids)}`;
}

function joinIds(ids: readonly TaskId[]): string {
  const rest = ids.length - MOST_NAMED;
  return `${ids.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}

function be(number: number): string {
  return number === 1 ? 'is' : 'are';
}
