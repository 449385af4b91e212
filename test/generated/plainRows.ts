import { permissionFingerprint } from '../../src/domain/task/permissionFingerprint';
import type { SharedCells, TaskId } from '../../src/domain/task/task';
import { SHARED_COLUMNS } from '../../src/queue/row/columns';
import { cellOf, readCsv, type CsvFile, type CsvRecord } from '../../src/queue/csv/csvFile';
import { readRow, whereOf } from '../../src/queue/csv/row';
import type { RowContext } from '../../src/queue/row/rowContext';
import { checkRows, type Row, type RowSet, type UnreadRow } from '../../src/queue/model/rows';

/** A row with what its shared cells say, as text and as meaning; a column that is not there is undefined. */
export interface PlainRow extends Row {
  readonly shared: SharedCells;
  readonly texts: readonly (string | undefined)[];
  readonly at: CsvRecord;
}

/** The rows of a file. */
export interface PlainRows {
  readonly file: CsvFile;
  readonly set: RowSet;
  readonly rows: readonly PlainRow[];
  /** Whether what is not there can be said to be gone. */
  readonly complete: boolean;
}

/** Reads all of a file again. */
export function readPlainly(bytes: Buffer, context: RowContext): PlainRows {
  const file = readCsv(bytes);
  const found: PlainRow[] = [];
  const unread: UnreadRow[] = [];
  let complete = file.whole;
  for (const record of file.records) {
    const where = { kind: 'file', line: record.line, column: 1 } as const;
    const reading = readRow(file, record, context);
    if ('problems' in reading) {
      unread.push({ where, ...reading });
      complete &&= reading.id !== null;
      continue;
    }
    const { definition, shared } = reading.row;
    const texts = SHARED_COLUMNS.map((column) => cellOf(file, record, column));
    found.push({
      definition,
      shared,
      texts,
      power: permissionFingerprint(definition),
      where,
      at: record,
    });
  }
  const set = checkRows(found, unread, {
    ...{ whole: file.whole, problem: file.problem, columns: file.whole ? [...file.columns.keys()] : [] },
    whereOf: ({ at }, column) => whereOf(file, at, column),
  });
  return { file, set, complete, rows: found.filter(({ definition }) => !set.invalidIds.has(definition.id)) };
}

/** Whether an id is in the file, in a row that can be understood or not. */
export function standsIn({ rows, set }: PlainRows, id: TaskId): boolean {
  return set.invalidIds.has(id) || rows.some(({ definition }) => definition.id === id);
}
