import { Problem } from '../../../domain/problem';
import type { Status, TaskId } from '../../../domain/task/task';
import { COLUMNS } from '../../../queue/row/columns';
import { readIds, readStatus } from '../../../queue/row/meaning';
import { readTexts } from '../../../queue/row/readTexts';
import type { RowContext } from '../../../queue/row/rowContext';
import type { RowTable } from '../../../queue/rowTable';
import type { TaskFields } from '../../../queue/taskQueue';
import { readCheckList } from './checkList';
import { parseTable } from './importRows';
import { indexIds, type FileTable, type RowPlace } from './rowIds';
import { t } from '../../../platform/text/translate';
import { decodeText } from '../../../platform/text/utf8';

/** Row of a file that can become a task. */
export interface PlannedRow {
  /** Its number in the file, from 1. */
  readonly number: number;
  /** Line of the file on which it starts, or its fault is; null: it is not from a file. */
  readonly line: number | null;
  /** Cells of the task, without an id. Dependencies on other rows of the file are left out. */
  readonly fields: TaskFields;
  /** Rows of the file that it depends on, by their index. */
  readonly after: readonly number[];
  /** Whether the file says that it is done: completed or cancelled. */
  readonly isDone: boolean;
  /** Whether the file says that it is cancelled. A row that depends on it cannot start. */
  readonly isCancelled: boolean;
  /** Status that the file gives it, if the new task is pending instead; null: they agree. */
  readonly formerStatus: Status | null;
  /** Reasons why it cannot be added. */
  readonly problems: readonly string[];
}

/** Rows that an import would add. */
export interface ImportPlan {
  readonly rows: readonly PlannedRow[];
  /** Columns of the file that are left out, because they have no meaning. */
  readonly ignored: readonly string[];
  /** Lines of a check-list with a box that is neither open nor done. They are left out. */
  readonly unclear: readonly number[];
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
  const { items, unclear } = readCheckList(markdown);
  if (items.length === 0) throw new Problem('usage', t('{0} has no items such as "- [ ] Tidy up".', name));
  const rows = items.map(({ text, line, isDone }, index): PlannedRow => {
    const fields = { ...target.usual, prompt: text };
    const problems = findProblems(fields, target);
    return { number: index + 1, line, fields, after: [], isDone, ...UNSTARTED, problems };
  });
  return { rows, ignored: [], unclear };
}

const UNSTARTED = { isCancelled: false, formerStatus: null } as const;

/** Columns that a new task does not take from the file. */
const LEFT_OUT: readonly string[] = ['id', 'status', 'retry_count', 'created_at'];

/** Returns the rows of a table that an import would add. */
export function planTable(
  { columns, rows, places = [] }: RowTable & Partial<FileTable>,
  target: ImportTarget,
): ImportPlan {
  const names = columns.map((name) => name.trim().toLowerCase());
  const isKnown = (name: string): boolean => COLUMNS.some((column) => column === name);
  const cellsOf = (texts: readonly string[]): Map<string, string> =>
    new Map(names.map((name, index) => [name, texts[index] ?? '']));
  const tables = rows.map(cellsOf);
  const indexes = indexIds(tables.map((cells) => cells.get('id') ?? ''));
  const planned = tables.map((cells, index) =>
    planRow(cells, { index, indexes, target, isKnown, place: places[index] ?? null }),
  );
  return {
    rows: planned.map((row, index) => ({
      ...row,
      problems: [...row.problems, ...findDependencyProblems(planned, row, index)],
    })),
    ignored: [...new Set(columns.filter((_, index) => !isKnown(names[index] ?? '')))],
    unclear: [],
  };
}

interface RowFacts {
  readonly index: number;
  readonly indexes: ReadonlyMap<TaskId, readonly number[]>;
  readonly target: ImportTarget;
  readonly isKnown: (name: string) => boolean;
  readonly place: RowPlace | null;
}

function planRow(
  cells: ReadonlyMap<string, string>,
  { index, indexes, target, isKnown, place }: RowFacts,
): PlannedRow {
  const written = (cells.get('dependencies') ?? '').trim();
  const ids = written === '' ? [] : readIds(written);
  const named = 'wrong' in ids ? [] : 'value' in ids ? ids.value : ids;
  const inside = named.filter((id) => indexes.has(id));
  const outside = named.filter((id) => !indexes.has(id));
  const given = [...cells].filter(([name, text]) => isKnown(name) && !LEFT_OUT.includes(name) && text !== '');
  const fields = {
    ...target.usual,
    ...Object.fromEntries(given),
    ...(written === '' || 'wrong' in ids ? {} : { dependencies: outside.join('|') }),
  };
  const { problems, ...status } = planStatus((cells.get('status') ?? '').trim());
  const planned = {
    number: index + 1,
    line: place?.line ?? null,
    fields,
    after: inside.flatMap((id) => indexes.get(id)?.[0] ?? []),
  };
  // The texts of a damaged row may belong to other columns.
  if (typeof place?.damage === 'string')
    return { ...planned, isDone: false, ...UNSTARTED, problems: [place.damage] };
  const missing = outside.filter((id) => !target.ids.has(id));
  const shared = inside.filter((id) => (indexes.get(id)?.length ?? 0) > 1);
  const among = [
    ...missing.map((id) => t('It depends on task {0}, which is neither in the file nor in the queue.', id)),
    ...shared.map((id) => t('It depends on task {0}, but several rows of the file have this id.', id)),
  ];
  return { ...planned, ...status, problems: [...problems, ...findProblems(fields, target), ...among] };
}

/** Returns what the status of a row means for a new task, which is pending. */
function planStatus(text: string): Pick<PlannedRow, 'isDone' | 'isCancelled' | 'formerStatus' | 'problems'> {
  const status = text === '' ? { value: 'pending' as const } : readStatus(text);
  if ('wrong' in status) return { isDone: false, ...UNSTARTED, problems: [status.wrong] };
  const isCancelled = status.value === 'cancelled';
  const isDone = isCancelled || status.value === 'completed';
  const formerStatus = isDone || status.value === 'pending' ? null : status.value;
  return { isDone, isCancelled, formerStatus, problems: [] };
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
