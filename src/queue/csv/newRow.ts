import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import type { NewRow } from '../taskQueue';
import { appendRecord, readCsv, spliceCells, type CsvFile } from './csvFile';
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
  refuseUnknownColumns(
    file,
    given.map(([column]) => column),
  );
  const bytes = appendRecord(file, { ...Object.fromEntries(given), id: String(id) });
  const after = readCsv(bytes, file);
  return { bytes, row: readWritten(after, after.records.length - 1, context) };
}

/**
 * The file's bytes with these cells of a task's row changed and no other byte, and what the row then means.
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
  refuseUnknownColumns(file, Object.keys(cells));
  if (record.cells.length !== file.columnCount) {
    throw new Problem(
      'usage',
      `The row of task ${String(id)} has too few or too many cells. Mend it by hand.`,
    );
  }
  const changes = Object.entries(cells).map(([column, text]) => ({ record: index, column, text }));
  const bytes = spliceCells(file, changes);
  return { bytes, row: readWritten(readCsv(bytes, file), index, context) };
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

function refuseUnknownColumns({ columns }: CsvFile, names: readonly string[]): void {
  const unknown = names.find((column) => !columns.has(column));
  if (unknown === undefined) return;
  throw new Problem(
    'usage',
    `The queue file has no column "${unknown}". Add its name to the first line, then try again.`,
  );
}

function readWritten(file: CsvFile, index: number, context: RowContext): Row {
  const record = file.records[index];
  if (record === undefined) throw new RangeError('The file does not have the row that was written.');
  const reading = readRow(file, record, context);
  if ('row' in reading) return reading.row;
  throw new Problem('usage', reading.problems.map(({ message }) => message).join('\n'));
}
