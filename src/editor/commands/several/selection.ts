import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskId } from '../../../domain/task/task';

/** Selected tasks, split by whether an action is possible for them; both in the order of the queue. */
export interface Selection {
  readonly able: readonly TaskViewModel[];
  readonly others: readonly TaskId[];
}

/** Splits the tasks with these ids. An id without a task is among the others. */
export function splitSelection(
  tasks: readonly TaskViewModel[],
  ids: readonly TaskId[],
  isPossible: (task: TaskViewModel) => boolean,
): Selection {
  const found = tasks.filter(({ task }) => ids.includes(task.definition.id));
  const able = found.filter(isPossible);
  const done = new Set(able.map(({ task }) => task.definition.id));
  const known = found.map(({ task }) => task.definition.id);
  const gone = ids.filter((id) => !known.includes(id));
  return { able, others: [...known, ...gone].filter((id) => !done.has(id)) };
}

/** Maximum number of ids in a message. */
const MOST_IDS = 12;

/**
 * Describes what was done with several tasks, and with which it was not possible: `2 of 5 tasks were retried. The
 * others cannot be: 3, 7, 9.`
 * @param done number of tasks
 * @param verb past participle, such as `retried`
 */
export function describeResult(done: number, others: readonly TaskId[], verb: string): string {
  const all = done + others.length;
  if (done === 0)
    return all === 1 ? `Task ${listIds(others)} cannot be ${verb}.` : describeNone(others, verb);
  const was = done === 1 ? 'was' : 'were';
  if (others.length === 0) return `${countTasks(done)} ${was} ${verb}.`;
  const rest = others.length === 1 ? 'The other' : 'The others';
  return `${String(done)} of ${countTasks(all)} ${was} ${verb}. ${rest} cannot be: ${listIds(others)}.`;
}

function describeNone(ids: readonly TaskId[], verb: string): string {
  return `None of these tasks can be ${verb}: ${listIds(ids)}.`;
}

function listIds(ids: readonly TaskId[]): string {
  const listed = ids
    .toSorted((a, b) => a - b)
    .slice(0, MOST_IDS)
    .join(', ');
  const more = ids.length - MOST_IDS;
  return more > 0 ? `${listed} and ${String(more)} more` : listed;
}

function countTasks(number: number): string {
  return `${String(number)} ${number === 1 ? 'task' : 'tasks'}`;
}
