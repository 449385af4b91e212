import { isProblem, Problem } from '../../domain/problem';
import type { Definition, TaskId } from '../../domain/task/task';
import type { TaskDraft, TaskFields } from '../taskQueue';
import { COLUMNS } from '../row/columns';
import { appendColumns, appendRecord, readCsv, spliceCells, type CsvFile, type CsvRecord } from './csvFile';
import { findDamage } from './damage';
import type { Row } from '../row/readTexts';
import { idOf, readRow } from './row';
import type { RowContext } from '../row/rowContext';

/** What a column means that is not there: a cell that says the same can be left out. */
const DEFAULTS: Readonly<Record<string, string>> = {
  priority: 'medium',
  status: 'pending',
  repeat: 'no',
  retry_count: '0',
  max_retries: '3',
};

/**
 * The file's bytes with one more row, and what the row means.
 * @throws Problem `usage` when the row would not be understood
 */
export function appendRow(
  file: CsvFile,
  { fields }: TaskDraft,
  id: TaskId,
  context: RowContext,
): { readonly bytes: Buffer; readonly row: Row; readonly file: CsvFile } {
  const given = Object.entries(fields).filter(
    ([column, text]) => file.columns.has(column) || !goesWithoutSaying(column, text, context),
  );
  const wide = widen(
    file,
    given.map(([column]) => column),
  );
  const bytes = appendRecord(wide, { ...Object.fromEntries(given), id: String(id) });
  const after = readCsv(bytes, wide);
  return { bytes, row: readWritten(after, after.records.length - 1, context), file: after };
}

/**
 * The file's bytes with more rows, whose ids start with `firstId`, and what they mean.
 * @throws Problem `usage` when one would not be understood
 */
export function appendRows(
  file: CsvFile,
  rows: readonly TaskDraft[],
  firstId: TaskId,
  context: RowContext,
): { readonly bytes: Buffer; readonly definitions: readonly Definition[] } {
  let after = file;
  const definitions = rows.map((row, index) => {
    const added = appendPlaced(after, row, firstId + index, context, rows.length > 1 ? index + 1 : null);
    after = added.file;
    return added.row.definition;
  });
  return { bytes: after.bytes, definitions };
}

/** As `appendRow`; what is wrong with one of several rows says with which. */
function appendPlaced(
  ...[file, row, id, context, place]: [...Parameters<typeof appendRow>, place: number | null]
): ReturnType<typeof appendRow> {
  try {
    return appendRow(file, row, id, context);
  } catch (error) {
    if (place === null || !isProblem(error, 'usage')) throw error;
    throw new Problem('usage', `New row ${String(place)}: ${error.message}`, { cause: error });
  }
}

/**
 * The file's bytes without these tasks' rows, and no other byte changed.
 * @throws Problem `no-such-task`; `usage` where a row cannot be distinguished
 */
export function removeRows(file: CsvFile, ids: readonly TaskId[]): Buffer {
  const spans = [...new Set(ids)].map((id) => {
    const record = findRecord(file, id);
    const damage = findDamage(file, record);
    if (damage === null) return record;
    throw new Problem(
      'usage',
      `The row of task ${String(id)} is damaged: ${damage.message} Remove it by hand.`,
    );
  });
  const parts: Buffer[] = [];
  let kept = 0;
  for (const { start, next } of spans.sort((a, b) => a.start - b.start)) {
    parts.push(file.bytes.subarray(kept, start));
    kept = next;
  }
  return Buffer.concat([...parts, file.bytes.subarray(kept)]);
}

/** The one row of a task. @throws Problem `no-such-task`; `usage` where several have its id */
function findRecord(file: CsvFile, id: TaskId): CsvRecord {
  const [record, ...others] = file.records.filter((one) => idOf(file, one) === id);
  if (record === undefined) throw new Problem('no-such-task', `There is no task ${String(id)}.`);
  if (others.length === 0) return record;
  throw new Problem('usage', `Id ${String(id)} is on more than one row. Fix it by hand.`);
}

/**
 * The file's bytes with these cells of a task's row changed, and what the row then means. No other byte changes, but for
 * columns that are added at the end of every row.
 * @throws Problem `no-such-task`, or `usage` when the row would not be understood
 */
export function editRow(
  file: CsvFile,
  id: TaskId,
  cells: TaskFields,
  context: RowContext,
): { readonly bytes: Buffer; readonly row: Row } {
  refuseNewId(id, cells);
  const record = findRecord(file, id);
  const index = file.records.indexOf(record);
  if (record.cells.length !== file.columnCount) {
    throw new Problem(
      'usage',
      `The row of task ${String(id)} has too few or too many cells. Fix it by hand.`,
    );
  }
  // A cell without a column is empty already.
  const given = Object.entries(cells).filter(([column, text]) => file.columns.has(column) || text !== '');
  const wide = widen(
    file,
    given.map(([column]) => column),
  );
  const bytes = spliceCells(
    wide,
    given.map(([column, text]) => ({ record: index, column, text })),
  );
  return { bytes, row: readWritten(readCsv(bytes, wide), index, context) };
}

/** Whether a row without the column means the same. Where rules give a priority, `medium` has to be said. */
function goesWithoutSaying(column: string, text: string, { priorityRules = [] }: RowContext): boolean {
  return DEFAULTS[column] === text && (column !== 'priority' || priorityRules.length === 0);
}

/** Whatever is known of a task is known of its id. @throws Problem `usage` */
function refuseNewId(id: TaskId, cells: TaskFields): void {
  if (cells['id'] === undefined || cells['id'] === String(id)) return;
  throw new Problem('usage', `Task ${String(id)} must keep its id: history and dependencies refer to it.`);
}

/** The file with those of these columns that it lacks. @throws Problem `usage` for one that means nothing */
function widen(file: CsvFile, names: readonly string[]): CsvFile {
  const missing = names.filter((column) => !file.columns.has(column));
  if (missing.length === 0) return file;
  const unknown = missing.find((name) => !COLUMNS.some((column) => column === name));
  if (unknown === undefined) return readCsv(appendColumns(file, missing));
  throw new Problem('usage', `There is no column "${unknown}". The columns are ${COLUMNS.join(', ')}.`);
}

function readWritten(file: CsvFile, index: number, context: RowContext): Row {
  const record = file.records[index];
  if (record === undefined) throw new RangeError('The file does not have the row that was written.');
  const reading = readRow(file, record, context);
  if ('row' in reading) return reading.row;
  throw new Problem('usage', reading.problems.map(({ message }) => message).join('\n'));
}
