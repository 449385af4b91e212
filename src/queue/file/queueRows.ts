import { powerOf } from '../../domain/power';
import type { RowProblem } from '../../domain/problem';
import type { Definition, SharedCells, TaskId } from '../../domain/task';
import { checkRows, type Row, type RowSet } from '../model/rows';
import { SHARED_COLUMNS } from '../csv/columns';
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
  /** Whether a row that is not there can be said to be gone: the file is whole, and each row's id is known. */
  readonly complete: boolean;
  /** The ids that stand in the file, in rows that can be understood or not. */
  readonly ids: ReadonlySet<TaskId>;
}

/** Remembers what a record means while its bytes do not change: only its line may. */
type Meanings = WeakMap<readonly string[], { definition: Definition; shared: SharedCells; power: string }>;

/** Reads files into rows; keeps what was understood for the next reading. */
export class RowReader {
  private meanings: Meanings = new WeakMap();
  private header = '';
  private last: { readonly file: CsvFile; readonly rows: FileRows } | null = null;

  constructor(private readonly context: RowContext) {}

  /** The file's rows; for the same file the same ones. */
  read(file: CsvFile): FileRows {
    if (this.last?.file !== file) this.last = { file, rows: this.understand(file) };
    return this.last.rows;
  }

  private understand(file: CsvFile): FileRows {
    this.forgetUnderOtherHeader(file);
    const found: FileRow[] = [];
    const problems: RowProblem[] = file.problem === null ? [] : [file.problem];
    let idsKnown = true;
    file.records.forEach((record, index) => {
      const row = this.readRecord(file, record, index, problems);
      if (row === null) idsKnown = false;
      else if (row !== undefined) found.push(row);
    });
    const checked = checkRows(found, problems, file.whole);
    const rows = found.filter(({ definition }) => !checked.invalidIds.has(definition.id));
    const ids = new Set([...checked.invalidIds, ...rows.map(({ definition }) => definition.id)]);
    return { ...checked, rows, ids, complete: file.whole && idsKnown };
  }

  /** The same cells mean something else where the header names other columns. */
  private forgetUnderOtherHeader({ columns }: CsvFile): void {
    const header = JSON.stringify([...columns]);
    if (header === this.header) return;
    this.header = header;
    this.meanings = new WeakMap();
  }

  /** The row; undefined when it has problems; null when not even its id is known. */
  private readRecord(
    file: CsvFile,
    record: CsvRecord,
    index: number,
    problems: RowProblem[],
  ): FileRow | undefined | null {
    let meaning = this.meanings.get(record.cells);
    if (meaning === undefined) {
      const reading = readRow(file, record, this.context);
      if ('problems' in reading) {
        problems.push(...reading.problems);
        return reading.id === null ? null : undefined;
      }
      meaning = { ...reading.row, power: powerOf(reading.row.definition) };
      this.meanings.set(record.cells, meaning);
    }
    return {
      ...meaning,
      record: index,
      line: record.line,
      texts: sharedTexts(file, record),
    };
  }
}

/** The texts of a record's shared cells. */
export function sharedTexts(file: CsvFile, record: CsvRecord): SharedTexts {
  const [status = null, scheduledTime = null, retryCount = null] = SHARED_COLUMNS.map((column) =>
    cellOf(file, record, column),
  );
  return [status, scheduledTime, retryCount];
}
