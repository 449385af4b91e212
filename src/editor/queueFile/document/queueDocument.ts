import { groupBy } from '../../../domain/lists';
import type { TaskId } from '../../../domain/task/task';
import { readCells } from '../../../queue/csv/cells';
import type { CsvFile } from '../../../queue/csv/csvFile';
import type { DocumentCell } from './documentCell';
import { DocumentRecord, DocumentRow, type NamedFile } from './documentRecord';
import { readText } from './readText';
import type { TextPosition } from './textRange';

/** Cell of a row or of the header, at a position. */
export interface FoundCell {
  readonly cell: DocumentCell;
  /** Null: the cell is in the header. */
  readonly row: DocumentRow | null;
}

/**
 * Text of a queue file, saved or not, as records and cells with their places. Immutable. Any text is accepted: a row
 * that cannot be read as a task is a row too. After a quote that is not closed there are no rows.
 */
export class QueueDocument {
  private readonly named: NamedFile;
  private foundRows: readonly DocumentRow[] | null = null;
  private rowsById: ReadonlyMap<TaskId | null, readonly DocumentRow[]> | null = null;

  private constructor(
    /** The same text as the queue reads it. */
    readonly file: CsvFile,
  ) {
    const { bytes, header, dialect } = file;
    const [texts = []] = header === null ? [] : readCells(bytes, [header], dialect.delimiter);
    this.named = { file, names: texts.map((text) => text.trim().toLowerCase()) };
    this.header = header === null ? null : new DocumentRecord(this.named, header, texts);
  }

  /** First record, which names the columns; null if the text is empty. */
  readonly header: DocumentRecord | null;

  /** Parses a text. What did not change since `previous` is not parsed again. */
  static parse(text: string, previous?: QueueDocument): QueueDocument {
    const file = readText(text, previous?.file);
    return previous?.file === file ? previous : new QueueDocument(file);
  }

  /** Names of the columns in order, trimmed and in lower case; also names that are no column of a queue. */
  get columns(): readonly string[] {
    return this.named.names;
  }

  /** Rows in the order of the text. */
  get rows(): readonly DocumentRow[] {
    this.foundRows ??= this.file.records.map((record, index) => new DocumentRow(this.named, record, index));
    return this.foundRows;
  }

  /** Returns the rows with an id, in the order of the text: more than one if the id is not unique. */
  rowsOf(id: TaskId): readonly DocumentRow[] {
    this.rowsById ??= groupBy(this.rows, (row) => row.id);
    return this.rowsById.get(id) ?? [];
  }

  /** Whether several rows have this id. None of them is a task then. */
  isDouble(id: TaskId): boolean {
    return this.rowsOf(id).length > 1;
  }

  /** Returns the row that a line belongs to; undefined for the header and for a blank line between rows. */
  rowAt(line: number): DocumentRow | undefined {
    const row = this.rows[this.countRowsUntil(line) - 1];
    return row !== undefined && line <= row.range.end.line ? row : undefined;
  }

  /** Returns the rows that have a line in this part of the text, its last line included. */
  rowsBetween(firstLine: number, lastLine: number): readonly DocumentRow[] {
    const first = this.rowAt(firstLine)?.index ?? this.countRowsUntil(firstLine);
    return this.rows.slice(first, this.countRowsUntil(lastLine));
  }

  /** Returns the cell at a position; before a delimiter, the cell that ends there. */
  cellAt(position: TextPosition): FoundCell | undefined {
    const row = this.rowAt(position.line) ?? null;
    const cell = (row ?? this.header)?.cellAt(position);
    return cell === undefined ? undefined : { cell, row };
  }

  /** Returns the number of rows that start at or before a line. */
  private countRowsUntil(line: number): number {
    const { records } = this.file;
    let least = 0;
    let most = records.length;
    while (least < most) {
      const middle = (least + most) >> 1;
      if ((records[middle]?.line ?? 0) <= line + 1) least = middle + 1;
      else most = middle;
    }
    return least;
  }
}
