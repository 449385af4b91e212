import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import type { NewRow } from '../taskQueue';
import { appendRecord, readCsv, type CsvFile } from './csvFile';
import { readRow, type Row, type RowContext } from './row';

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
    ([column, text]) => file.columns.has(column) || DEFAULTS[column] !== text,
  );
  const unknown = given.map(([column]) => column).find((column) => !file.columns.has(column));
  if (unknown !== undefined) {
    throw new Problem(
      'usage',
      `The queue file has no column "${unknown}". Add its name to the first line, then try again.`,
    );
  }
  const bytes = appendRecord(file, { ...Object.fromEntries(given), id: String(id) });
  const after = readCsv(bytes, file);
  const record = after.records.at(-1);
  if (record === undefined) throw new RangeError('The file has no row after one was appended.');
  const reading = readRow(after, record, context);
  if ('row' in reading) return { bytes, row: reading.row };
  throw new Problem('usage', reading.problems.map(({ message }) => message).join('\n'));
}
