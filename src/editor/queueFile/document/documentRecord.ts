import type { TaskId } from '../../../domain/task/task';
import type { CsvFile, CsvRecord } from '../../../queue/csv/csvFile';
import { textStart } from '../../../queue/csv/dialect';
import { scanCells, type RecordSpan } from '../../../queue/csv/records';
import { idOf } from '../../../queue/csv/row';
import type { DocumentCell } from './documentCell';
import { advance, touches, type TextPosition, type TextRange } from './textRange';

/** File of a document, with the names in its header in order. */
export interface NamedFile {
  readonly file: CsvFile;
  readonly names: readonly string[];
}

/** Header or row of a document. Its cells are found on first use. */
export class DocumentRecord {
  private found: readonly DocumentCell[] | null = null;

  constructor(
    private readonly named: NamedFile,
    private readonly span: RecordSpan,
    private readonly texts: readonly string[],
  ) {}

  /** First line, from 0. */
  get line(): number {
    return this.span.line - 1;
  }

  /** Cells from left to right. A damaged record may have more or fewer of them than the header. */
  get cells(): readonly DocumentCell[] {
    this.found ??= this.findCells();
    return this.found;
  }

  /** Place, without the line end. */
  get range(): TextRange {
    const start = this.startPosition();
    const { bytes } = this.named.file;
    return { start, end: advance(start, bytes.toString('utf8', this.span.start, this.span.end)) };
  }

  /** Returns the cell of a column; undefined if there is no such column, or the record ends before it. */
  cell(column: string): DocumentCell | undefined {
    const index = this.named.file.columns.get(column);
    return index === undefined ? undefined : this.cells[index];
  }

  /** Returns the text of a column's cell, as `cell` but without its place, which takes longer. */
  text(column: string): string | undefined {
    const index = this.named.file.columns.get(column);
    return index === undefined ? undefined : this.texts[index];
  }

  /** Returns the cell at a position; before a delimiter, the cell that ends there. */
  cellAt(position: TextPosition): DocumentCell | undefined {
    return this.cells.find(({ range }) => touches(range, position));
  }

  private findCells(): DocumentCell[] {
    const { file, names } = this.named;
    const { delimiter } = file.dialect;
    let start = this.startPosition();
    return scanCells(file.bytes, this.span, delimiter).map((place, index) => {
      const end = advance(start, file.bytes.toString('utf8', place.start, place.end));
      const range = { start, end };
      start = { line: end.line, character: end.character + delimiter.length };
      const column = names[index] ?? null;
      return { index, column, text: this.texts[index] ?? '', range, isQuoted: place.quoted };
    });
  }

  /** A record starts its line; only a byte order mark may be before it. */
  private startPosition(): TextPosition {
    const { start } = this.span;
    const isAfterMark = start > 0 && start === textStart(this.named.file.bytes);
    return { line: this.line, character: isAfterMark ? 1 : 0 };
  }
}

/** Record after the header. */
export class DocumentRow extends DocumentRecord {
  /** Id of its task; null if it is not readable. Several rows may have the same. */
  readonly id: TaskId | null;

  /** @param index its position among the rows, from 0; the same in `CsvFile.records` */
  constructor(
    named: NamedFile,
    readonly record: CsvRecord,
    readonly index: number,
  ) {
    super(named, record, record.cells);
    this.id = idOf(named.file, record);
  }
}
