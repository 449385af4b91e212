import type { TaskId } from '../../domain/task/task';
import { SHARED_COLUMNS } from '../../queue/row/columns';
import { cellOf, readCsv, type CsvFile, type CsvRecord } from '../../queue/csv/csvFile';
import { mergeCsv, type Merge } from '../../queue/csv/merge';
import type { TextEdit } from '../../queue/csv/mergeEdits';
import { idOf } from '../../queue/csv/row';
import { baseOf } from '../../queue/file/editors/openEditors';
import { digest } from '../../queue/file/journal/digest';

/** How a document's text changed. */
export interface TextChange {
  /** Whether it held unsaved changes before: of the first of them the editor tells only behind it. */
  readonly wasDirty: boolean;
  /** Undo and redo bring back what was there, no matter who wrote it. */
  readonly byUndo: boolean;
}

/** What unsaved changes started with: other changes have another start. */
export interface EditBase {
  /** The whole text; null where nobody knows. */
  readonly text: string | null;
  /** The shared cells; what they are now, where nobody knows. */
  readonly texts: ReturnType<typeof baseOf>;
}

/**
 * A queue file in an editor: what it last had in common with the disk, and which shared cells the user typed. What came
 * back with an undo is not typed: a status that the program wrote meanwhile must not be lost by it.
 */
export class UnsavedQueue {
  private mine: CsvFile;
  /** Null: nobody knows what the changes started with. */
  private base: CsvFile | null;
  /** Null: there are no unsaved changes. */
  private began: EditBase | null = null;
  private readonly typed = new Set<string>();
  /** Nothing has happened since the document was opened. */
  private isFresh = true;
  /** The last change of a document that had no unsaved ones: it came from the disk, or is the first of the user. */
  private first: { readonly before: CsvFile; readonly byUndo: boolean } | null = null;
  /** Digests of all that the document held since a save of it started: the editor does not tell what it saves. */
  private saving: { readonly first: CsvFile; readonly digests: Set<string> } | null = null;
  private merged: string | null = null;

  constructor(text: string) {
    this.mine = readCsv(Buffer.from(text));
    this.base = this.mine;
  }

  /** Null while the document holds what is on the disk. */
  get editBase(): EditBase | null {
    return this.began;
  }

  /** The text is another one. */
  change(text: string, { wasDirty, byUndo }: TextChange): void {
    const before = this.mine;
    this.mine = readCsv(Buffer.from(text), before);
    this.isFresh = false;
    this.saving?.digests.add(digest(this.mine.bytes));
    if (!wasDirty) {
      this.settle(this.mine);
      this.first = { before, byUndo };
    } else if (!byUndo && text !== this.merged) {
      this.noteTyped(before);
    }
  }

  /**
   * There are unsaved changes now. Where nothing led there, the editor brought back what a restart had found unsaved:
   * `remembered` is what that started with, where it is known.
   */
  turnDirty(remembered: string | null): void {
    if (this.began !== null) return;
    const { first } = this;
    this.first = null;
    if (first !== null) this.base = first.before;
    else if (this.isFresh) this.base = remembered === null ? null : readCsv(Buffer.from(remembered));
    this.begin(first?.byUndo === true);
  }

  /** The document holds what is on the disk: its changes were saved, or taken back. */
  turnClean(): void {
    this.saving = null;
    if (this.began !== null) this.settle(this.mine);
  }

  /** The document is about to be saved. */
  startSave(): void {
    this.saving = { first: this.mine, digests: new Set([digest(this.mine.bytes)]) };
  }

  /** It was saved, and this is on the disk now; what was typed since then is not. */
  endSave(disk: Buffer): void {
    const { base, mine, saving } = this;
    this.saving = null;
    if (this.began === null) return;
    const saved = readCsv(withoutMark(disk), mine);
    const isKnown = saved === mine || saving?.digests.has(digest(saved.bytes)) === true;
    // Changed again already by somebody else, or typed again before this was read: what the document has in common with the
    // disk is not newer than the save.
    this.settle(isKnown ? saved : (saving?.first ?? base ?? mine));
    if (this.base !== mine) this.begin(false);
  }

  /** What the document needs so that nothing on the disk is lost when it is saved. */
  mergeWith(disk: Buffer): Merge {
    const { base, mine } = this;
    if (base === null) {
      const isSame = withoutMark(disk).equals(mine.bytes);
      return isSame
        ? { kind: 'same' }
        : { kind: 'conflict', message: 'The base version of these changes is unknown.' };
    }
    const theirs = readCsv(disk, base);
    const isOwn = (id: TaskId, column: string, text: string): boolean =>
      this.typed.has(keyOf(id, column, text));
    const merge = mergeCsv({ base, mine, theirs, isOwn });
    this.merged = merge.kind === 'merged' ? withEdits(mine.bytes.toString(), merge.edits) : null;
    return merge;
  }

  /** Whether the disk holds what the changes started with. */
  isBase(disk: Buffer): boolean {
    return this.base !== null && withoutMark(disk).equals(this.base.bytes);
  }

  private settle(base: CsvFile): void {
    this.base = base;
    this.began = null;
    this.first = null;
    this.typed.clear();
  }

  private begin(byUndo: boolean): void {
    const { base, mine } = this;
    this.began = { text: base?.bytes.toString() ?? null, texts: baseOf(base ?? mine) };
    if (base !== null && !byUndo) this.noteTyped(base);
  }

  /** Only what was read again can hold news. */
  private noteTyped(before: CsvFile): void {
    const changed = this.mine.records.filter(isNotIn(before));
    if (changed.length === 0) return;
    const old = byId(before, before.records.filter(isNotIn(this.mine)));
    const base = this.base === null ? null : rowsOf(this.base);
    for (const [id, record] of byId(this.mine, changed)) {
      const last = old.get(id);
      const first = base?.get(id);
      for (const column of SHARED_COLUMNS) {
        const text = cellOf(this.mine, record, column) ?? '';
        const isNews = last === undefined || cellOf(before, last, column) !== text;
        // A row that is cut and pasted comes back as it was.
        const isBack = this.base !== null && first !== undefined && cellOf(this.base, first, column) === text;
        if (isNews && !isBack) this.typed.add(keyOf(id, column, text));
      }
    }
  }
}

type Rows = ReadonlyMap<TaskId, CsvRecord>;

/** The rows of what changes started with: looked into at every key, and made once. */
const ROWS = new WeakMap<CsvFile, Rows>();

function rowsOf(file: CsvFile): Rows {
  const rows = ROWS.get(file) ?? byId(file, file.records);
  ROWS.set(file, rows);
  return rows;
}

/** A record that is the same in both readings has the very same cells. */
function isNotIn(other: CsvFile): (record: CsvRecord) => boolean {
  const known = new Set(other.records.map(({ cells }) => cells));
  return ({ cells }) => !known.has(cells);
}

function byId(file: CsvFile, records: readonly CsvRecord[]): Rows {
  const rows = new Map<TaskId, CsvRecord>();
  for (const record of records) {
    const id = idOf(file, record);
    if (id !== null) rows.set(id, record);
  }
  return rows;
}

function keyOf(id: TaskId, column: string, text: string): string {
  return `${String(id)}\0${column}\0${text}`;
}

function withEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return [...parts, text.slice(at)].join('');
}

const MARK = Buffer.from('\ufeff');

/** Editors take the byte order mark away. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;
}
