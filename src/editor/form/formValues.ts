import type { Settings } from '../../domain/settings/settings';
import { parsePriority } from '../../domain/task/priority';
import type { Moment } from '../../domain/time/moment';
import { t } from '../../platform/text/translate';
import type { Column } from '../../queue/row/columns';
import { readVerify } from '../../queue/row/meaning';
import {
  formatCommand,
  readTypedCheck,
  writeTypedInterval,
  writeTypedTime,
} from '../../queue/row/typedCells';
import { usualCells } from '../../queue/row/usualCells';
import type { TaskFields } from '../../queue/taskQueue';
import { readDailyInterval, writeDailyInterval } from './dailyInterval';

/** Fields of the form, in the order in which they are shown. */
export const FIELDS = [
  'prompt',
  'folder',
  'priority',
  'dependencies',
  'time',
  'repeat',
  'repeatAt',
  'interval',
  'mode',
  'tools',
  'check',
  'deadline',
  'model',
  'timeout',
  'retries',
  'user',
  'tags',
  'promptFile',
  'systemPrompt',
] as const;
export type Field = (typeof FIELDS)[number];

/** Texts of the form as the user typed them. */
export type FormValues = Readonly<Record<Field, string>>;

/** Name of each field on the form. */
export const LABELS: Readonly<Record<Field, string>> = {
  prompt: t('Prompt'),
  folder: t('Folder'),
  priority: t('Priority'),
  dependencies: t('After'),
  time: t('Not before'),
  repeat: t('Repeat'),
  repeatAt: t('Time of day'),
  interval: t('Interval'),
  mode: t('Permissions'),
  tools: t('Allowed tools'),
  check: t('Check'),
  deadline: t('Deadline'),
  model: t('Model'),
  timeout: t('Timeout'),
  retries: t('Retries'),
  user: t('User'),
  tags: t('Tags'),
  promptFile: t('Prompt file'),
  systemPrompt: t('System prompt'),
};

/** Field that shows a column. */
export const FIELD_OF: Partial<Record<Column, Field>> = {
  prompt: 'prompt',
  working_dir: 'folder',
  priority: 'priority',
  dependencies: 'dependencies',
  scheduled_time: 'time',
  repeat: 'repeat',
  repeat_interval: 'interval',
  permission_mode: 'mode',
  allowed_tools: 'tools',
  verify: 'check',
  deadline: 'deadline',
  model: 'model',
  timeout: 'timeout',
  max_retries: 'retries',
  user: 'user',
  tags: 'tags',
  prompt_file: 'promptFile',
  append_system_prompt: 'systemPrompt',
};

/** Returns the values of a form for a new task in a folder. */
export function newValues(folder: string, settings: Settings): FormValues {
  return valuesOf({ ...usualCells(settings), working_dir: folder });
}

/** Returns the values of a form that show the cells of a row. */
export function valuesOf(cells: TaskFields): FormValues {
  const text = (column: Column): string => cells[column] ?? '';
  const line = (column: Column): string => withoutLineEnds(text(column));
  return {
    prompt: withLineFeeds(text('prompt')),
    folder: line('working_dir'),
    priority: priorityOf(text('priority').trim()),
    dependencies: text('dependencies'),
    time: line('scheduled_time'),
    ...repeatOf(text('repeat'), line('repeat_interval')),
    mode: text('permission_mode').trim(),
    tools: line('allowed_tools'),
    check: withoutLineEnds(checkOf(text('verify'))),
    deadline: line('deadline'),
    model: line('model'),
    timeout: line('timeout'),
    retries: line('max_retries'),
    user: line('user'),
    tags: line('tags').replaceAll('|', ', '),
    promptFile: line('prompt_file'),
    systemPrompt: withLineFeeds(text('append_system_prompt')),
  };
}

/** Returns a text with the line ends that a browser gives it. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Returns a text as a field of one line holds it in a browser. */
function withoutLineEnds(text: string): string {
  return text.replaceAll(/[\r\n]/g, '');
}

/** Returns what the form shows once its row has other values: those, and what the user had changed. */
export function takeOver(values: FormValues, before: FormValues, now: FormValues): FormValues {
  const own = FIELDS.filter((field) => values[field] !== before[field]);
  return { ...now, ...Object.fromEntries(own.map((field) => [field, values[field]])) };
}

function priorityOf(text: string): string {
  return text === '' ? '' : (parsePriority(text) ?? text);
}

const USUAL_TIME = '09:00';

function repeatOf(repeat: string, interval: string): Pick<FormValues, 'repeat' | 'repeatAt' | 'interval'> {
  if (repeat.trim().toLowerCase() !== 'yes') return { repeat: 'no', repeatAt: USUAL_TIME, interval };
  const daily = readDailyInterval(interval);
  if (daily === null) return { repeat: 'interval', repeatAt: USUAL_TIME, interval };
  return { repeat: daily.days, repeatAt: daily.at, interval: '' };
}

function checkOf(text: string): string {
  const parts = readVerify(text);
  return 'value' in parts ? formatCommand(parts.value) : text;
}

/** Returns the cells that the values mean. A text that is not understood stays as it is, for the check of the row. */
export function cellsOf(values: FormValues, moment: Moment): Readonly<Partial<Record<Column, string>>> {
  return {
    prompt: values.prompt,
    working_dir: values.folder.trim(),
    priority: values.priority,
    dependencies: values.dependencies,
    scheduled_time: writeTypedTime(values.time, moment),
    repeat: values.repeat === 'no' ? 'no' : 'yes',
    repeat_interval: intervalCell(values),
    permission_mode: values.mode,
    allowed_tools: values.tools.trim(),
    verify: checkCell(values.check),
    deadline: writeTypedTime(values.deadline, moment),
    model: values.model.trim(),
    timeout: values.timeout.trim(),
    max_retries: values.retries.trim(),
    user: values.user.trim(),
    tags: tagsCell(values.tags),
    prompt_file: values.promptFile.trim(),
    append_system_prompt: values.systemPrompt.trim(),
  };
}

/** Returns the time that words mean, as a cell; the words if they are not understood. */
function intervalCell({ repeat, repeatAt, interval }: FormValues): string {
  if (repeat === 'interval') return writeTypedInterval(interval);
  return repeat === 'day' || repeat === 'weekday' ? (writeDailyInterval(repeat, repeatAt) ?? '') : '';
}

/** A check that is not understood stays as it is: the form reports it. */
function checkCell(text: string): string {
  const typed = readTypedCheck(text);
  return 'value' in typed ? typed.value : text.trim();
}

function tagsCell(text: string): string {
  const tags = text.split(/[,|]/).map((tag) => tag.trim());
  return tags.filter((tag) => tag !== '').join('|');
}

/** Returns the cells that differ between two states of the form: those that the user changed. */
export function changedCells(before: FormValues, after: FormValues, moment: Moment): TaskFields {
  const [old, now] = [cellsOf(before, moment), cellsOf(after, moment)];
  const isChanged = (column: string): boolean =>
    Reflect.get(old, column) !== Reflect.get(now, column) &&
    fieldsOf(column).some((field) => before[field] !== after[field]);
  return Object.fromEntries(Object.entries(now).filter(([column]) => isChanged(column)));
}

/** Returns the fields from which a cell is made. */
function fieldsOf(column: string): readonly Field[] {
  if (column === 'repeat_interval') return ['repeat', 'repeatAt', 'interval'];
  const found = Object.entries(FIELD_OF).find(([name]) => name === column);
  return found === undefined ? [] : [found[1]];
}
