import type { TaskId } from '../../domain/task/task';
import { SHARED_COLUMNS } from '../row/columns';
import { encodeCell, type CsvFile, type CsvRecord } from './csvFile';
import { toTextEdits, type ByteEdit, type TextEdit } from './textEdits';
import { matchRows, plain, plainText, writtenText, type KeyedRows, type Three } from './matchRows';
import { scanCells } from './records';
import { t } from '../../platform/text/translate';

/** Versions to merge. */
export interface MergeInput extends Three<CsvFile> {
  /**
   * Returns whether the user typed this text into that shared cell of the unsaved document. Other texts came with an
   * undo, or from the program.
   */
  readonly isOwn: (id: TaskId, column: string, text: string) => boolean;
}

/** Edits that the unsaved document needs so that saving it loses nothing that is on disk. */
export type Merge =
  | { readonly kind: 'same' }
  | { readonly kind: 'merged'; readonly edits: readonly TextEdit[] }
  /** Document and disk changed the same cell differently: only the user can choose. */
  | { readonly kind: 'conflict'; readonly message: string };

/**
 * Merges changes on disk into the unsaved document, cell by cell. A cell that the document did not change takes the
 * text on disk; rows come and go with the disk. In a shared cell, text that the user typed wins over the disk, and
 * other text never does. All other bytes of the document stay. Offsets of the edits are in its text as `mine.bytes`
 * hold it.
 *
 * Cells are compared as texts without regard to line ends: an editor removes the byte order mark and makes all line
 * ends one kind. Merging the result again changes nothing.
 */
export function mergeCsv(input: MergeInput): Merge {
  const theirs = plainText(input.theirs);
  if (theirs === plainText(input.mine)) return { kind: 'same' };
  const matched = matchRows(input);
  if (typeof matched !== 'string') return new Merger(matched, input.isOwn).merge();
  return theirs === plainText(input.base) ? { kind: 'same' } : { kind: 'conflict', message: matched };
}

class Merger {
  private readonly base: KeyedRows;
  private readonly mine: KeyedRows;
  private readonly theirs: KeyedRows;
  /** Shared columns by index. */
  private readonly shared: ReadonlyMap<number, string>;
  private readonly edits: ByteEdit[] = [];
  /** New rows on disk, by the row of `mine` that they follow; null: they come first. */
  private readonly added = new Map<CsvRecord | null, string[]>();
  private readonly conflicts: string[] = [];

  constructor(
    { base, mine, theirs }: Three<KeyedRows>,
    private readonly isOwn: MergeInput['isOwn'],
  ) {
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
    const { columns } = mine.file;
    this.shared = new Map(SHARED_COLUMNS.map((column) => [columns.get(column) ?? -1, column]));
  }

  merge(): Merge {
    this.takeRows();
    this.dropRows();
    this.insertRows();
    const [message] = this.conflicts;
    if (message !== undefined) return { kind: 'conflict', message };
    if (this.edits.length === 0) return { kind: 'same' };
    return { kind: 'merged', edits: toTextEdits(this.mine.file.bytes, this.edits) };
  }

  private takeRows(): void {
    let above: CsvRecord | null = null;
    for (const [id, theirs] of this.theirs.rows) {
      const mine = this.mine.rows.get(id);
      if (mine === undefined) {
        if (this.isNew(id, theirs)) this.add(theirs, above);
        continue;
      }
      this.mergeRow(id, mine, theirs);
      above = mine;
    }
  }

  /** Whether a row on disk that `mine` lacks is new. Otherwise it was deleted in `mine`, or is damaged there. */
  private isNew(id: TaskId, theirs: CsvRecord): boolean {
    const base = this.base.rows.get(id);
    if (this.mine.unclear.has(id)) {
      if (base === undefined || !isSame(base.cells, theirs.cells))
        this.conflicts.push(t('Row {0} was changed on disk and cannot be found in the unsaved text.', id));
      return false;
    }
    if (base === undefined) return true;
    if (!isSame(this.userCells(base), this.userCells(theirs)))
      this.conflicts.push(t('Row {0} was deleted in the unsaved text and changed on disk.', id));
    return false;
  }

  private mergeRow(id: TaskId, mine: CsvRecord, theirs: CsvRecord): void {
    const base = this.base.rows.get(id);
    const { bytes, dialect } = this.mine.file;
    mine.cells.forEach((text, index) => {
      const wanted = this.mergeCell(id, index, {
        base: base?.cells[index],
        mine: text,
        theirs: theirs.cells[index],
      });
      if (wanted === text) return;
      const span = scanCells(bytes, mine, dialect.delimiter)[index];
      if (span === undefined) throw new RangeError(`Row ${String(id)} has no cell ${String(index)}`);
      this.edits.push({ ...span, text: encodeCell(this.withLineEnds(wanted), dialect, span.quoted) });
    });
  }

  /** Returns the merged text of a cell. */
  private mergeCell(id: TaskId, index: number, cell: Three<string | undefined>): string {
    const { base, mine = '', theirs = '' } = cell;
    if (plain(mine) === plain(theirs)) return mine;
    if (base !== undefined && plain(mine) === plain(base)) return theirs;
    const column = this.shared.get(index);
    if (column !== undefined) return this.isOwn(id, column, mine) ? mine : theirs;
    if (base === undefined || plain(theirs) !== plain(base))
      this.conflicts.push(
        t('Row {0} has another {1} in the unsaved text than on disk.', id, this.nameOf(index)),
      );
    return mine;
  }

  private dropRows(): void {
    for (const [id, base] of this.base.rows) {
      if (this.theirs.rows.has(id)) continue;
      const mine = this.mine.rows.get(id);
      if (mine !== undefined && this.isUntouched(id, base, mine)) {
        this.edits.push({ start: mine.start, end: mine.next, text: '' });
      } else if (mine !== undefined || this.mine.unclear.has(id)) {
        this.conflicts.push(t('Row {0} was changed in the unsaved text and deleted on disk.', id));
      }
    }
  }

  private isUntouched(id: TaskId, base: CsvRecord, mine: CsvRecord): boolean {
    return mine.cells.every((text, index) => {
      if (plain(text) === plain(base.cells[index] ?? '')) return true;
      const column = this.shared.get(index);
      return column !== undefined && !this.isOwn(id, column, text);
    });
  }

  private add(theirs: CsvRecord, above: CsvRecord | null): void {
    const text = this.withLineEnds(writtenText(this.theirs.file, theirs));
    this.added.set(above, [...(this.added.get(above) ?? []), text]);
  }

  private insertRows(): void {
    const { bytes, records, dialect } = this.mine.file;
    for (const [above, rows] of this.added) {
      const at = above?.next ?? records[0]?.start ?? bytes.length;
      const endsLine = above === null ? records.length > 0 || dialect.lastLineEnds : above.next > above.end;
      const lines = rows.map((row) => (endsLine ? row + dialect.lineEnd : dialect.lineEnd + row));
      const edit = { start: at, end: at, text: lines.join('') };
      // An empty cell may be at the same offset: the first one of the row below, or the last one of the row above.
      if (endsLine) this.edits.unshift(edit);
      else this.edits.push(edit);
    }
  }

  /** Returns the cells that only users write. */
  private userCells({ cells }: CsvRecord): readonly string[] {
    return cells.filter((_, index) => !this.shared.has(index));
  }

  private withLineEnds(text: string): string {
    return plain(text).replaceAll('\n', this.mine.file.dialect.lineEnd);
  }

  private nameOf(index: number): string {
    const [name] = [...this.mine.file.columns].find(([, at]) => at === index) ?? [];
    return name ?? t('cell {0}', index + 1);
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => plain(text) === plain(other[index] ?? ''));
}
