import { COLUMN_TEXTS } from '../columnTexts';
import { isExample } from '../../../app/actions/queue/newQueue';
import { MODE_WORDS } from '../../../app/present/permissionModes';
import { describeFolder, shorten } from '../../../app/present/text';
import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { revealInvisible } from '../../../platform/text/invisible';
import type { World } from '../../../domain/reasons/world';
import { formatDuration } from '../../../domain/time/duration';
import { occurrenceDueAt } from '../../../domain/time/occurrences';
import { placeOf } from '../../../domain/task/place';
import type { TaskId } from '../../../domain/task/task';
import { BASIC_COLUMNS, COLUMNS, type Column } from '../../../queue/row/columns';
import {
  readIds,
  readInterval,
  readPermissionMode,
  readPriority,
  readStatus,
  readTime,
  readTimeout,
  type Meaning,
} from '../../../queue/row/meaning';
import type { HoverText } from '../../hover/hoverText';
import { STATUS_TEXTS } from '../completion/wordCandidates';
import type { DocumentRow } from '../document/documentRecord';
import type { FoundCell } from '../document/queueDocument';
import { describeState } from '../lenses/stateSentence';
import { formatDistance, formatWithDay, nextTimes } from './nextTimes';
import { t } from '../../../platform/text/translate';

/** Description of a cell in plain text. */
export interface CellDescription {
  readonly title: string;
  /** Meaning of the cell, one line each. */
  readonly lines: readonly string[];
  /** Meaning of the column, one line each. */
  readonly notes: readonly string[];
}

/** Describes the basic columns at the prompt of a row that is still the example of a new queue; null elsewhere. */
export function describeExample({ cell, row }: FoundCell): HoverText | null {
  if (cell.column !== 'prompt' || row === null || !isExample((column) => row.text(column))) return null;
  return {
    title: t('This row is an example. Change it, or remove it.'),
    lines: [],
    facts: BASIC_COLUMNS.map((name) => ({ name, text: COLUMN_TEXTS[name].meaning })),
  };
}

/**
 * Describes a cell of the header, or of a row; null if there is nothing to say. Of a queue that cannot be read, which has no
 * view model, a cell has the format of its column.
 */
export function describeCell(
  { cell, row }: FoundCell,
  viewModel: QueueViewModel | null,
): CellDescription | null {
  const column = COLUMNS.find((name) => name === cell.column);
  if (column === undefined) {
    return row === null && cell.text.trim() !== ''
      ? { title: cell.text.trim(), lines: [t('This column has no meaning here. It is kept.')], notes: [] }
      : null;
  }
  if (row === null) return describeColumn(column);
  const { meaning } = COLUMN_TEXTS[column];
  const text = cell.text.trim();
  const lines = text === '' ? [describeEmpty(column)] : describeFilled(column, text, row, viewModel);
  return { title: `${column}: ${shorten(text, WIDTH)}`.replace(/: $/, ''), lines, notes: [meaning] };
}

/** Characters of a text in a title, and of a prompt in a line. */
const WIDTH = 60;

function describeColumn(column: Column): CellDescription {
  const { meaning } = COLUMN_TEXTS[column];
  return { title: column, lines: [meaning, describeFormat(column), describeEmpty(column)], notes: [] };
}

function describeEmpty(column: Column): string {
  const { empty } = COLUMN_TEXTS[column];
  return empty === null ? t('It must not be empty.') : t('Empty: {0}.', empty);
}

function describeFormat(column: Column): string {
  return t('Format: {0}.', COLUMN_TEXTS[column].format);
}

function describeFilled(
  column: Column,
  text: string,
  row: DocumentRow,
  viewModel: QueueViewModel | null,
): string[] {
  if (viewModel === null) return [describeFormat(column)];
  const task = viewModel.tasks.find(({ task: { definition } }) => definition.id === row.id);
  return describeText(column, text, task, viewModel);
}

function describeText(
  column: Column,
  text: string,
  task: TaskViewModel | undefined,
  viewModel: QueueViewModel,
): string[] {
  const { world } = viewModel;
  switch (column) {
    case 'status':
      return withMeaning(readStatus(text), (status) => [
        t('{0}.', STATUS_TEXTS[status]),
        ...(task === undefined ? [] : [t('{0}.', describeState(task, world))]),
      ]);
    case 'priority':
      return withMeaning(readPriority(text), () => describePriority(task, viewModel));
    case 'permission_mode':
      return withMeaning(readPermissionMode(text, world.settings.allowBypass), (mode) => [
        t('Claude may do {0}.', MODE_WORDS[mode]),
      ]);
    case 'dependencies':
      return withMeaning(readIds(text), (ids) => ids.map((id) => describeDependency(id, viewModel)));
    case 'scheduled_time':
    case 'deadline':
    case 'created_at':
      return withMeaning(readTime(text, world.timeZone), (at) => [
        `${formatWithDay(at, world.timeZone)} (${world.timeZone}), ${formatDistance(at, world)}`,
      ]);
    case 'repeat_interval':
      return withMeaning(readInterval(text), (interval) => [
        ...nextTimes(interval, task === undefined ? null : occurrenceDueAt(task.task), world).map(
          (at, index) =>
            `${String(index + 1)}. ${formatWithDay(at, world.timeZone)}${index === 0 ? `, ${formatDistance(at, world)}` : ''}`,
        ),
        describeMissed(world),
      ]);
    case 'timeout':
      return withMeaning(readTimeout(text), (ms) => [
        t('An attempt is stopped after {0}.', formatDuration(ms)),
      ]);
    case 'working_dir':
      return task === undefined ? [] : [describeFolder(placeOf(task.task.definition))];
    case 'prompt_file':
      return describePromptFile(text, task);
    default:
      return [describeFormat(column)];
  }
}

/** Lines of a prompt file, and characters of each. */
const FILE_LINES = 10;
const LINE_WIDTH = 120;

/** Returns the first lines of the prompt file, unless the row as it is shown names another one. */
function describePromptFile(file: string, shown: TaskViewModel | undefined): string[] {
  const { promptFile } = shown?.task.definition ?? {};
  if (promptFile?.path !== file) return [describeFormat('prompt_file')];
  const lines = promptFile.text.trimEnd().split('\n');
  const more = lines.length - FILE_LINES;
  return [
    ...lines.slice(0, FILE_LINES).map((line) => revealInvisible(shorten(line, LINE_WIDTH))),
    ...(more > 0 ? [more === 1 ? t('(1 more line)') : t('({0} more lines)', more)] : []),
  ];
}

const MISSED = {
  once: t('one run makes up for all'),
  skip: t('skipped'),
  all: t('a run for each'),
} as const;

function describeMissed({ settings, timeZone }: World): string {
  return t(
    'Missed times: {0} (setting missedRuns). Times are in {1}.',
    MISSED[settings.missedRuns],
    timeZone,
  );
}

function withMeaning<T>(meaning: Meaning<T>, describe: (value: T) => string[]): string[] {
  return 'value' in meaning ? describe(meaning.value) : [meaning.wrong];
}

function describePriority(task: TaskViewModel | undefined, { world }: QueueViewModel): string[] {
  if (task === undefined) return [];
  const { effectivePriority, service } = task;
  const isRaised = effectivePriority !== task.task.definition.priority;
  return [
    ...(isRaised ? [t('It counts as {0}, because it has waited.', effectivePriority)] : []),
    ...(service === null
      ? []
      : [t('The task should end by {0}.', formatWithDay(service.by, world.timeZone))]),
  ];
}

function describeDependency(id: TaskId, { tasks, world, snapshot }: QueueViewModel): string {
  const shown = tasks.find(({ task }) => task.definition.id === id);
  if (shown !== undefined) {
    return `${String(id)} ${shorten(shown.task.definition.prompt, WIDTH)}: ${describeState(shown, world)}`;
  }
  return snapshot.invalidIds.has(id)
    ? t('The row of task {0} is invalid.', id)
    : t('Task {0} does not exist.', id);
}
