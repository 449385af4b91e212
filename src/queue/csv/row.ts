import { compareWhere, type ReadProblem, type FileWhere } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { Column } from '../row/columns';
import { readId } from '../row/meaning';
import { readTexts, type Row } from '../row/readTexts';
import type { RowContext } from '../row/rowContext';
import { findDamage } from './damagedRow';
import { cellOf, spanOf } from './csvFile';
import type { CsvFile, CsvRecord } from './csvFile';
import { placeOf } from './records';

/** Row, or all of its problems; `id` is null if it is not readable. */
export type RowReading =
  | { readonly row: Row }
  | { readonly problems: readonly ReadProblem<FileWhere>[]; readonly id: TaskId | null };

/** Parses one record of a whole file as a task. Problems have their places in the file. */
export function readRow(file: CsvFile, record: CsvRecord, context: RowContext): RowReading {
  const damage = findDamage(file, record);
  if (damage !== null) return refuse([damage], idOf(file, record));
  const reading = readTexts((column) => cellOf(file, record, column) ?? '', context);
  if ('row' in reading) return reading;
  const problems = reading.problems.map(({ column, message }) => ({
    where: whereOf(file, record, column),
    row: record.line,
    message,
  }));
  return refuse(
    problems.sort((a, b) => compareWhere(a.where, b.where)),
    idOf(file, record),
  );
}

/** Returns the place of a cell, or of the record if it has no such cell. */
export function whereOf(file: CsvFile, record: CsvRecord, column: Column): FileWhere {
  return placeOf(file.bytes, record, spanOf(file, record, column)?.start ?? record.start);
}

/** Returns the id in a record; null if it is not readable. */
export function idOf(file: CsvFile, record: CsvRecord): TaskId | null {
  const found = readId((cellOf(file, record, 'id') ?? '').trim());
  return 'value' in found ? found.value : null;
}

function refuse(problems: readonly ReadProblem<FileWhere>[], id: TaskId | null): RowReading {
  return { id, problems: id === null ? problems : problems.map((problem) => ({ ...problem, id })) };
}
