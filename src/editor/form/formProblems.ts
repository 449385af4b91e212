import type { Moment } from '../../domain/time/moment';
import { parseTypedTime } from '../../domain/time/typedTime';
import type { QueueViewModel } from '../../app/viewModel/queueViewModel';
import { findDependents } from '../../domain/task/dependents';
import type { Definition, TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import { readTexts } from '../../queue/row/readTexts';
import { readIds } from '../../queue/row/meaning';
import type { RowContext } from '../../queue/row/rowContext';
import { readTypedCheck } from '../../queue/row/typedCells';
import { isTimeOfDay } from './dailyInterval';
import { cellsOf, FIELD_OF, type Field, type FormValues } from './formValues';

/** Message of each field that is wrong. */
export type FieldProblems = Readonly<Partial<Record<Field, string>>>;

/** Wrong fields, and the task that the values mean; null while a field is wrong. */
export interface CheckedValues {
  readonly problems: FieldProblems;
  readonly definition: Definition | null;
}

/** Everything that decides whether the values are valid. */
export interface CheckContext {
  readonly rows: RowContext;
  readonly viewModel: QueueViewModel;
  readonly moment: Moment;
  /** Task that is edited; null: a new one. */
  readonly id: TaskId | null;
}

/** Checks the values by the rules of the queue file. Returns the task that they mean too, if all are valid. */
export function checkValues(values: FormValues, context: CheckContext): CheckedValues {
  const { rows, moment, id } = context;
  const cells = cellsOf(values, moment);
  const reading = readTexts((column) => (column === 'id' ? String(id ?? 1) : (cells[column] ?? '')), rows);
  const found = 'row' in reading ? [] : reading.problems;
  const isDaily = values.repeat === 'day' || values.repeat === 'weekday';
  const byRow = Object.fromEntries(
    found
      // The interval follows from the time of day, which has a problem of its own.
      .filter(({ column }) => !(isDaily && column === 'repeat_interval'))
      .map(({ column, message }) => [FIELD_OF[column] ?? 'prompt', message] as const),
  );
  const problems: FieldProblems = { ...byRow, ...problemsOfWords(values, context) };
  const isValid = Object.keys(problems).length === 0 && 'row' in reading;
  return { problems, definition: isValid ? reading.row.definition : null };
}

/** Returns the first wrong field in the given order; null if none is. */
export function firstWrong(problems: FieldProblems, order: readonly Field[]): Field | null {
  return order.find((field) => problems[field] !== undefined) ?? null;
}

const NOT_A_TIME = t(
  'This time is not understood. Write one like tomorrow 2am, 22:30, in 2 h or 2026-11-25 02:00.',
);

/** Returns the problems of what the form accepts in another form than the file. */
function problemsOfWords(values: FormValues, context: CheckContext): FieldProblems {
  const { time, deadline, repeat, repeatAt, check } = values;
  const isDaily = repeat === 'day' || repeat === 'weekday';
  const dependencies = problemOfDependencies(values.dependencies, context);
  const typedCheck = readTypedCheck(check);
  return {
    ...(isTyped(time, context.moment) ? {} : { time: NOT_A_TIME }),
    ...(isTyped(deadline, context.moment) ? {} : { deadline: NOT_A_TIME }),
    ...(isDaily ? problemOfTimeOfDay(repeatAt) : {}),
    ...('wrong' in typedCheck ? { check: typedCheck.wrong } : {}),
    ...(dependencies === null ? {} : { dependencies }),
  };
}

function isTyped(text: string, moment: Moment): boolean {
  return text.trim() === '' || parseTypedTime(text, moment) !== null;
}

function problemOfTimeOfDay(at: string): FieldProblems {
  return isTimeOfDay(at) ? {} : { repeatAt: t('This is not a time of day. Write one like 09:00.') };
}

function problemOfDependencies(text: string, { viewModel, id }: CheckContext): string | null {
  if (text.trim() === '') return null;
  const ids = readIds(text);
  if ('wrong' in ids) return ids.wrong;
  const known = new Set(viewModel.tasks.map(({ task }) => task.definition.id));
  const missing = ids.value.find((one) => !known.has(one) && !viewModel.snapshot.invalidIds.has(one));
  if (missing !== undefined) return t('Task {0} does not exist. Remove it, or choose another.', missing);
  const dependents = id === null ? new Set<TaskId>() : dependentsOf(id, viewModel);
  const circular = ids.value.find((one) => dependents.has(one));
  if (circular === undefined) return null;
  return circular === id
    ? t('A task cannot wait for itself. Remove it.')
    : t('Task {0} itself waits for this task. Remove it.', circular);
}

/** Returns a task and all tasks that wait for it, directly or not. */
export function dependentsOf(id: TaskId, { tasks }: QueueViewModel): ReadonlySet<TaskId> {
  return findDependents(tasks.map(({ task }) => task.definition))(id).add(id);
}
