import { powerOf } from '../../domain/power';
import type { RowProblem } from '../../domain/problem';
import type { SharedCells, TaskId } from '../../domain/task';
import { checkRows, type Row, type RowSet } from '../model/rows';
import { SHARED_COLUMNS } from '../csv/columns';
import type { Cells } from '../csv/cells';
import { cellOf, type CsvFile, type CsvRecord } from '../csv/csvFile';
import type { SharedTexts } from './fileState';
import { readRow, type RowContext } from '../csv/row';

/** A row of the file with what its shared cells say, as text and as meaning. */
export interface FileRow extends Row {
  /** Its place among the file's records. */
  readonly record: number;
  readonly shared: SharedCells;
  readonly texts: SharedTexts;
}

/** The rows of a queue file. */
export interface FileRows extends RowSet {
  readonly rows: readonly FileRow[];
  /** The same by their ids. */
  readonly byId: ReadonlyMap<TaskId, FileRow>;
  /** Whether a row that is not there can be said to be gone: the file is whole, and each row's id is known. */
  readonly complete: boolean;
}

/** Whether an id stands in the file, in a row that can be understood or not. */
export function isInFile({ byId, invalidIds }: FileRows, id: TaskId): boolean {
  return byId.has(id) || invalidIds.has(id);
}

/** What was understood of a record; it holds while its bytes and its place do not change. */
type Understood =
  | { readonly cells: Cells; readonly row: FileRow }
  | {
      readonly cells: Cells;
      readonly line: number;
      readonly problems: readonly RowProblem[];
      readonly isIdKnown: boolean;
    };

/** Reads files into rows; a row that is the same as in the reading before is the very same object. */
export class RowReader {
  private header = '';
  private understood: readonly Understood[] = [];
  private last: { readonly file: CsvFile; readonly rows: FileRows } | null = null;

  constructor(private readonly context: RowContext) {}

  /** The file's rows; for the same file the same ones. */
  read(file: CsvFile): FileRows {
    if (this.last?.file !== file) this.last = { file, rows: this.understand(file) };
    return this.last.rows;
  }

  private understand(file: CsvFile): FileRows {
    this.forgetUnderOtherHeader(file);
    const before = this.understood;
    const moved = file.records.length - before.length;
    const understood = file.records.map((record, index) => {
      let same = before[index];
      if (same?.cells !== record.cells) same = before[index - moved];
      if (same?.cells !== record.cells) same = undefined;
      return this.understandRecord(file, record, index, same);
    });
    this.understood = understood;
    return gather(file, understood);
  }

  /** The same cells mean something else where the header names other columns. */
  private forgetUnderOtherHeader({ columns }: CsvFile): void {
    const header = JSON.stringify([...columns]);
    if (header === this.header) return;
    this.header = header;
    this.understood = [];
  }

  private understandRecord(
    file: CsvFile,
    record: CsvRecord,
    index: number,
    before: Understood | undefined,
  ): Understood {
    const { cells, line } = record;
    if (before !== undefined && 'row' in before) {
      const { row } = before;
      if (row.line === line && row.record === index) return before;
      return { cells, row: { ...row, record: index, line } };
    }
    if (before?.line === line) return before;
    const reading = readRow(file, record, this.context);
    if ('problems' in reading) {
      return { cells, line, problems: reading.problems, isIdKnown: reading.id !== null };
    }
    const { definition, shared } = reading.row;
    const texts = sharedTexts(file, record);
    return {
      cells,
      row: { definition, shared, power: powerOf(definition), record: index, line, texts },
    };
  }
}

function gather(file: CsvFile, understood: readonly Understood[]): FileRows {
  const found: FileRow[] = [];
  const problems: RowProblem[] = file.problem === null ? [] : [file.problem];
  let areIdsKnown = true;
  for (const one of understood) {
    if ('row' in one) {
      found.push(one.row);
      continue;
    }
    problems.push(...one.problems);
    areIdsKnown &&= one.isIdKnown;
  }
  const checked = checkRows(found, problems, file.whole);
  const { invalidIds } = checked;
  const rows =
    invalidIds.size === 0 ? found : found.filter(({ definition }) => !invalidIds.has(definition.id));
  const byId = new Map<TaskId, FileRow>();
  for (const row of rows) byId.set(row.definition.id, row);
  return { ...checked, rows, byId, complete: file.whole && areIdsKnown };
}

/** The texts of a record's shared cells. */
export function sharedTexts(file: CsvFile, record: CsvRecord): SharedTexts {
  const [status = null, scheduledTime = null, retryCount = null] = SHARED_COLUMNS.map((column) =>
    cellOf(file, record, column),
  );
  return [status, scheduledTime, retryCount];
}
