import { listIds } from '../../../app/present/text';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { TaskId } from '../../../domain/task/task';
import { textsOf, type BulkAction } from './bulkActions';
import { t } from '../../../platform/text/translate';

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
 * others cannot be: 3, 7 and 9.`
 * @param done number of tasks
 */
export function describeResult(done: number, others: readonly TaskId[], action: BulkAction): string {
  const texts = textsOf(action);
  const all = done + others.length;
  if (done === 0) return fill(all === 1 ? texts.notOne : texts.notMany, listTasks(others));
  if (others.length === 0) return done === 1 ? texts.one : fill(texts.many, done);
  const some = done === 1 ? fill(texts.oneOf, all) : fill(texts.manyOf, done, all);
  const rest =
    others.length === 1
      ? t('The other cannot be: {0}.', listTasks(others))
      : t('The others cannot be: {0}.', listTasks(others));
  return `${some} ${rest}`;
}

/** Describes that no task can be changed. */
export function describeUnchangeable(ids: readonly TaskId[]): string {
  return ids.length === 1
    ? t('Task {0} cannot be changed.', listTasks(ids))
    : t('None of these tasks can be changed: {0}.', listTasks(ids));
}

function fill(text: string, ...values: readonly (string | number)[]): string {
  return values.reduce<string>(
    (filled, value, index) => filled.replace(`{${String(index)}}`, String(value)),
    text,
  );
}

function listTasks(ids: readonly TaskId[]): string {
  return listIds(
    ids.toSorted((a, b) => a - b),
    MOST_IDS,
  );
}
