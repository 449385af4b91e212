import { countInvalidRows } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
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

/** Describes tasks that need an answer, and others in review: `in review: tasks 9, 12 (task 15 waits for them)`. */
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
  const waiting = findWaiting(tasks, new Set(ids));
  const verb = waiting.length === 1 ? 'waits' : 'wait';
  const whom = ids.length === 1 ? 'it' : 'them';
  const tail = waiting.length === 0 ? '' : ` (${nameTasks(waiting)} ${verb} for ${whom})`;
  return [`${what}: ${nameTasks(ids)}${tail}`];
}

/** Returns the blocked tasks that depend on one of these, directly or through other blocked tasks. */
function findWaiting(tasks: QueueViewModel['tasks'], wanted: ReadonlySet<TaskId>): TaskId[] {
  const dependents = new Map<TaskId, TaskId[]>();
  for (const { task, reason } of tasks) {
    if (reason.state !== 'blocked') continue;
    const { id, dependencies } = task.definition;
    for (const dependency of dependencies)
      dependents.set(dependency, [...(dependents.get(dependency) ?? []), id]);
  }
  const found = new Set<TaskId>();
  const open = [...wanted];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const dependent of dependents.get(id) ?? []) {
      if (found.has(dependent)) continue;
      found.add(dependent);
      open.push(dependent);
    }
  }
  return tasks.map(({ task }) => task.definition.id).filter((id) => found.has(id));
}

/** Maximum number of ids in one line. */
const MOST_NAMED = 50;

/** Names tasks in one line: `task 9`, `tasks 9, 12`, and the number of the others. */
export function nameTasks(ids: readonly TaskId[]): string {
  const noun = ids.length === 1 ? 'task' : 'tasks';
  const rest = ids.length - MOST_NAMED;
  return `${noun} ${ids.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`;
}

function be(number: number): string {
  return number === 1 ? 'is' : 'are';
}
