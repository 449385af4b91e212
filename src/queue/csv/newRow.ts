import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import type { NewRow } from '../taskQueue';
import { COLUMNS } from './columns';
import { appendColumns, appendRecord, readCsv, spliceCells, type CsvFile } from './csvFile';
import { idOf, readRow, type Row, type RowContext } from './row';

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
  { cells }: NewRow,
  id: TaskId,
  context: RowContext,
): { readonly bytes: Buffer; readonly row: Row } {
  const given = Object.entries(cells).filter(
    ([column, text]) => file.columns.has(column) || !goesWithoutSaying(column, text, context),
  );
  const wide = widen(
    file,
    given.map(([column]) => column),
  );
  const bytes = appendRecord(wide, { ...Object.fromEntries(given), id: String(id) });
  const after = readCsv(bytes, wide);
  return { bytes, row: readWritten(after, after.records.length - 1, context) };
}

/**
 * The file's bytes with these cells of a task's row changed, and what the row then means. No other byte changes, but for
 * columns that are added at the end of every row.
 * @throws Problem `no-such-task`, or `usage` when the row would not be understood
 */
export function editRow(
  file: CsvFile,
  id: TaskId,
  cells: NewRow['cells'],
  context: RowContext,
): { readonly bytes: Buffer; readonly row: Row } {
  refuseNewId(id, cells);
  const index = file.records.findIndex((record) => idOf(file, record) === id);
  const record = file.records[index];
  if (record === undefined) throw new Problem('no-such-task', `There is no task ${String(id)}.`);
  if (file.records.some((other) => other !== record && idOf(file, other) === id)) {
    throw new Problem('usage', `Id ${String(id)} stands on more than one row. Mend that by hand.`);
  }
  if (record.cells.length !== file.columnCount) {
    throw new Problem(
      'usage',
      `The row of task ${String(id)} has too few or too many cells. Mend it by hand.`,
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
function refuseNewId(id: TaskId, cells: NewRow['cells']): void {
  if (cells['id'] === undefined || cells['id'] === String(id)) return;
  throw new Problem('usage', `Task ${String(id)} keeps its id: history and dependencies go by it.`);
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
