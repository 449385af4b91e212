import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { COLUMNS } from '../../../queue/row/columns';
import { readId, readIds } from '../../../queue/row/meaning';
import { readTexts } from '../../../queue/row/readTexts';
import type { RowContext } from '../../../queue/row/rowContext';
import type { RowTable } from '../../../queue/rowTable';
import type { TaskFields } from '../../../queue/taskQueue';
import { readCheckList } from './checkList';
import { parseTable } from './importRows';
import { t } from '../../../platform/text/translate';
import { decodeText } from '../../../platform/text/utf8';

/** Row of a file that can become a task. */
export interface PlannedRow {
  /** Its number in the file, from 1. */
  readonly number: number;
  /** Cells of the task, without an id. Dependencies on other rows of the file are left out. */
  readonly fields: TaskFields;
  /** Rows of the file that it depends on, by their index. */
  readonly after: readonly number[];
  /** Whether the file says that it is done: completed or cancelled. */
  readonly isDone: boolean;
  /** Whether the file says that it is cancelled. A row that depends on it cannot start. */
  readonly isCancelled: boolean;
  /** Reasons why it cannot be added. */
  readonly problems: readonly string[];
}

/** Rows that an import would add. */
export interface ImportPlan {
  readonly rows: readonly PlannedRow[];
  /** Columns of the file that are left out, because they have no meaning. */
  readonly ignored: readonly string[];
}

/** Facts about the queue that rows are added to. */
export interface ImportTarget {
  readonly rows: RowContext;
  /** Ids of its tasks. */
  readonly ids: ReadonlySet<TaskId>;
  /** Cells of rows that do not name them. */
  readonly usual: TaskFields;
}

/** Whether a file is read as a Markdown check-list, by its name. */
export function isCheckList(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name);
}

/**
 * Reads a Markdown check-list or a CSV file, and returns the rows that an import would add. They get new ids.
 * @throws Problem `usage` or `queue-incomplete` if the file has no rows to read, or is not UTF-8
 */
export function planImport(name: string, bytes: Buffer, target: ImportTarget): ImportPlan {
  return isCheckList(name)
    ? planCheckList(name, decodeText(name, bytes), target)
    : planTable(parseTable(name, bytes), target);
}

function planCheckList(name: string, markdown: string, target: ImportTarget): ImportPlan {
  const items = readCheckList(markdown);
  if (items.length === 0) throw new Problem('usage', t('{0} has no items such as "- [ ] Tidy up".', name));
  const rows = items.map(({ text, isDone }, index) => {
    const fields = { ...target.usual, prompt: text };
    const problems = findProblems(fields, target);
    return { number: index + 1, fields, after: [], isDone, isCancelled: false, problems };
  });
  return { rows, ignored: [] };
}

/** Columns that a new task does not take from the file. */
const LEFT_OUT: readonly string[] = ['id', 'status', 'retry_count', 'created_at'];

/** Returns the rows of a table that an import would add. */
export function planTable({ columns, rows }: RowTable, target: ImportTarget): ImportPlan {
  const names = columns.map((name) => name.trim().toLowerCase());
  const isKnown = (name: string): boolean => COLUMNS.some((column) => column === name);
  const cellsOf = (texts: readonly string[]): Map<string, string> =>
    new Map(names.map((name, index) => [name, texts[index] ?? '']));
  const tables = rows.map(cellsOf);
  const places = placesOf(tables);
  const planned = tables.map((cells, index) => {
    const hasShape = rows[index]?.length === names.length;
    return planRow(cells, { index, places, target, isKnown, hasShape });
  });
  return {
    rows: planned.map((row, index) => ({
      ...row,
      problems: [...row.problems, ...findDependencyProblems(planned, row, index)],
    })),
    ignored: [...new Set(columns.filter((_, index) => !isKnown(names[index] ?? '')))],
  };
}

/** Returns the index of the row with each id; of several, the first. */
function placesOf(tables: readonly ReadonlyMap<string, string>[]): ReadonlyMap<TaskId, number> {
  const places = new Map<TaskId, number>();
  for (const [index, cells] of tables.entries()) {
    const id = readId((cells.get('id') ?? '').trim());
    if ('value' in id && !places.has(id.value)) places.set(id.value, index);
  }
  return places;
}

interface RowFacts {
  readonly index: number;
  readonly places: ReadonlyMap<TaskId, number>;
  readonly target: ImportTarget;
  readonly isKnown: (name: string) => boolean;
  readonly hasShape: boolean;
}

function planRow(
  cells: ReadonlyMap<string, string>,
  { index, places, target, isKnown, hasShape }: RowFacts,
): PlannedRow {
  const written = (cells.get('dependencies') ?? '').trim();
  const ids = written === '' ? [] : readIds(written);
  const named = 'wrong' in ids ? [] : 'value' in ids ? ids.value : ids;
  const inside = named.filter((id) => places.has(id));
  const outside = named.filter((id) => !places.has(id));
  const missing = outside.filter((id) => !target.ids.has(id));
  const given = [...cells].filter(([name, text]) => isKnown(name) && !LEFT_OUT.includes(name) && text !== '');
  const status = (cells.get('status') ?? '').trim().toLowerCase();
  const fields = {
    ...target.usual,
    ...Object.fromEntries(given),
    ...(written === '' || 'wrong' in ids ? {} : { dependencies: outside.join('|') }),
  };
  return {
    number: index + 1,
    fields,
    after: inside.flatMap((id) => places.get(id) ?? []),
    isDone: status === 'completed' || status === 'cancelled',
    isCancelled: status === 'cancelled',
    problems: [
      ...(hasShape ? [] : [t('It has too few or too many cells.')]),
      ...findProblems(fields, target),
      ...missing.map((id) => t('It depends on task {0}, which is neither in the file nor in the queue.', id)),
    ],
  };
}

function findProblems(fields: TaskFields, { rows }: ImportTarget): readonly string[] {
  const reading = readTexts((column) => (column === 'id' ? '1' : (fields[column] ?? '')), rows);
  return 'row' in reading ? [] : reading.problems.map(({ message }) => message);
}

/** A row that is done is not imported by itself, so what it depends on can be cancelled. */
function findDependencyProblems(
  rows: readonly PlannedRow[],
  { after, isDone }: PlannedRow,
  index: number,
): readonly string[] {
  const cancelled = isDone ? [] : after.flatMap((one) => rows[one] ?? []).filter((row) => row.isCancelled);
  return [
    ...(isCircular(rows, index) ? [t('It depends on itself, directly or through other rows.')] : []),
    ...cancelled.map(({ number }) => t('It depends on row {0}, which is cancelled.', number)),
  ];
}

function isCircular(rows: readonly PlannedRow[], index: number): boolean {
  const seen = new Set(rows[index]?.after);
  for (const one of seen) for (const next of rows[one]?.after ?? []) seen.add(next);
  return seen.has(index);
}
