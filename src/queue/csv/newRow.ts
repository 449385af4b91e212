import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import type { NewRow } from '../taskQueue';
import { appendRecord, readCsv, type CsvFile } from './csvFile';
import { readRow, type Row, type RowContext } from './row';

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
  const unknown = Object.keys(cells).find((column) => !file.columns.has(column));
  if (unknown !== undefined) {
    throw new Problem(
      'usage',
      `The queue file has no column "${unknown}". Add its name to the first line, then try again.`,
    );
  }
  const bytes = appendRecord(file, { ...cells, id: String(id) });
  const after = readCsv(bytes, file);
  const record = after.records.at(-1);
  if (record === undefined) throw new RangeError('The file has no row after one was appended.');
  const reading = readRow(after, record, context);
  if ('row' in reading) return { bytes, row: reading.row };
  throw new Problem('usage', reading.problems.map(({ message }) => message).join('\n'));
}
