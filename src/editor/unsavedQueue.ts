import type { TaskId } from '../domain/task';
import { SHARED_COLUMNS } from '../queue/csv/columns';
import { cellOf, readCsv, type CsvFile, type CsvRecord } from '../queue/csv/csvFile';
import { mergeCsv, type Merge } from '../queue/csv/merge';
import { idOf } from '../queue/csv/row';
import { baseOf } from '../queue/file/openEditors';

/** How a document changed. */
export interface DocumentChange {
  /** Whether it holds changes now that are not on the disk. */
  readonly isDirty: boolean;
  /** Undo and redo bring back what was there, whoever wrote it. */
  readonly byUndo: boolean;
}

/**
 * A queue file in an editor: what it last had in common with the disk, and which shared cells a person typed. What came
 * back with an undo is not typed: a status that the program wrote meanwhile must not be lost by it.
 */
export class UnsavedQueue {
  private mine: CsvFile;
  /** Null: nobody knows what the changes began with. */
  private base: CsvFile | null;
  private readonly typed = new Set<string>();

  /** `base`: what the document's unsaved changes began with, where it has any; null: that is not known. */
  constructor(text: string, base: string | null) {
    this.mine = read(text);
    this.base = base === text ? this.mine : base === null ? null : read(base);
    if (this.base !== null) this.noteTyped(this.base);
  }

  get baseText(): string | null {
    return this.base?.bytes.toString() ?? null;
  }

  /** The shared cells that the changes began with; what they are now, where nobody knows. */
  get baseTexts(): ReturnType<typeof baseOf> {
    return baseOf(this.base ?? this.mine);
  }

  change(text: string, { isDirty, byUndo }: DocumentChange): void {
    const before = this.mine;
    this.mine = readCsv(Buffer.from(text), before);
    if (!isDirty) this.base = this.mine;
    else if (!byUndo) this.noteTyped(before);
  }

  /** What the document needs so that nothing on the disk is lost when it is saved. */
  mergeWith(disk: Buffer): Merge {
    const { base, mine } = this;
    if (base === null) {
      const isSame = withoutMark(disk).equals(mine.bytes);
      return isSame
        ? { kind: 'same' }
        : { kind: 'conflict', message: 'What these changes began with is not known.' };
    }
    const theirs = readCsv(disk, base);
    return mergeCsv({
      base,
      mine,
      theirs,
      isOwn: (id, column, text) => this.typed.has(keyOf(id, column, text)),
    });
  }

  /** Whether the disk holds what the changes began with. */
  isBase(disk: Buffer): boolean {
    return this.base !== null && withoutMark(disk).equals(this.base.bytes);
  }

  private noteTyped(before: CsvFile): void {
    const old = byId(before);
    const base = this.base === null ? old : byId(this.base);
    for (const [id, record] of byId(this.mine)) {
      const last = old.get(id);
      if (last?.cells === record.cells) continue;
      for (const column of SHARED_COLUMNS) {
        const text = cellOf(this.mine, record, column) ?? '';
        const isNews = last === undefined || cellOf(before, last, column) !== text;
        const inBase = base.get(id);
        // A row that is cut and pasted comes back as it was.
        const isBack =
          this.base !== null && inBase !== undefined && cellOf(this.base, inBase, column) === text;
        if (isNews && !isBack) this.typed.add(keyOf(id, column, text));
      }
    }
  }
}

function byId(file: CsvFile): ReadonlyMap<TaskId, CsvRecord> {
  const rows = new Map<TaskId, CsvRecord>();
  for (const record of file.records) {
    const id = idOf(file, record);
    if (id !== null) rows.set(id, record);
  }
  return rows;
}

function keyOf(id: TaskId, column: string, text: string): string {
  return `${String(id)}\0${column}\0${text}`;
}

function read(text: string): CsvFile {
  return readCsv(Buffer.from(text));
}

const MARK = Buffer.from('\ufeff');

/** Editors take the byte order mark away. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;
}
