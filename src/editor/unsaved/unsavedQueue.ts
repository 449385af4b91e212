import type { TaskId } from '../../domain/task/task';
import { SHARED_COLUMNS } from '../../queue/row/columns';
import { cellOf, readCsv, type CsvFile, type CsvRecord } from '../../queue/csv/csvFile';
import { mergeCsv, type Merge } from '../../queue/csv/threeWayMerge';
import type { TextEdit } from '../../queue/csv/textEdits';
import { idOf } from '../../queue/csv/row';
import { readText } from '../queueFile/document/readText';
import { baseOf } from '../../queue/file/editors/openEditors';
import { digest } from '../../queue/file/journal/digest';
import { t } from '../../platform/text/translate';

/** Kind of a change of a document's text. */
export interface TextChange {
  /** Whether it had unsaved changes before; VS Code reports the first one only after it. */
  readonly wasDirty: boolean;
  /** Whether it is an undo or redo, which restores earlier text, regardless of its author. */
  readonly byUndo: boolean;
}

/** Base of unsaved changes; other changes have another base. */
export interface EditBase {
  /** The whole text; null if unknown. */
  readonly text: string | null;
  /** The shared cells of the base; if unknown, the current ones. */
  readonly texts: ReturnType<typeof baseOf>;
}

/**
 * Queue file in an editor: its last common version with the disk, and the shared cells that the user typed. Text
 * restored by an undo does not count as typed: it must not overwrite a status that the program wrote meanwhile.
 */
export class UnsavedQueue {
  private mine: CsvFile;
  /** Common version with the disk; null if unknown. */
  private base: CsvFile | null;
  /** Null if there are no unsaved changes. */
  private currentBase: EditBase | null = null;
  private readonly typed = new Set<string>();
  /** Whether nothing has happened since the document was opened. */
  private isFresh = true;
  /** Last change of a document without unsaved changes: it came from the disk, or is the user's first one. */
  private first: { readonly before: CsvFile; readonly byUndo: boolean } | null = null;
  /** Digests of every text since a save started: VS Code does not report which one it saves. */
  private saving: { readonly first: CsvFile; readonly digests: Set<string> } | null = null;
  private merged: string | null = null;

  constructor(text: string) {
    this.mine = readText(text);
    this.base = this.mine;
  }

  /** Base of the unsaved changes; null while the document equals the file on disk. */
  get editBase(): EditBase | null {
    return this.currentBase;
  }

  /** Records a change of the text. */
  change(text: string, { wasDirty, byUndo }: TextChange): void {
    const before = this.mine;
    this.mine = readText(text, before);
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
   * Records that there are unsaved changes. Without a change before, VS Code restored them after a restart;
   * `remembered` is their base, if known.
   */
  turnDirty(remembered: string | null): void {
    if (this.currentBase !== null) return;
    const { first } = this;
    this.first = null;
    if (first !== null) this.base = first.before;
    else if (this.isFresh) this.base = remembered === null ? null : readCsv(Buffer.from(remembered));
    this.startEdit(first?.byUndo === true);
  }

  /** Records that the document equals the file on disk: its changes were saved or undone. */
  turnClean(): void {
    this.saving = null;
    if (this.currentBase !== null) this.settle(this.mine);
  }

  /** Records that the document is about to be saved. */
  startSave(): void {
    this.saving = { first: this.mine, digests: new Set([digest(this.mine.bytes)]) };
  }

  /** Records a save with the bytes on disk; text typed since then is not saved. */
  endSave(disk: Buffer): void {
    const { base, mine, saving } = this;
    this.saving = null;
    if (this.currentBase === null) return;
    const saved = readCsv(withoutMark(disk), mine);
    const isKnown = saved === mine || saving?.digests.has(digest(saved.bytes)) === true;
    // Others changed the file again, or the user typed before it was read: the common version is not newer than the
    // save.
    this.settle(isKnown ? saved : (saving?.first ?? base ?? mine));
    if (this.base !== mine) this.startEdit(false);
  }

  /** Returns the edits that the document needs so that a save loses nothing on disk. */
  mergeWith(disk: Buffer): Merge {
    const { base, mine } = this;
    if (base === null) {
      const isSame = withoutMark(disk).equals(mine.bytes);
      return isSame
        ? { kind: 'same' }
        : { kind: 'conflict', message: t('The base version of these changes is unknown.') };
    }
    const theirs = readCsv(disk, base);
    const isOwn = (id: TaskId, column: string, text: string): boolean =>
      this.typed.has(keyOf(id, column, text));
    const merge = mergeCsv({ base, mine, theirs, isOwn });
    this.merged = merge.kind === 'merged' ? withEdits(mine.bytes.toString(), merge.edits) : null;
    return merge;
  }

  /** Whether the file on disk equals the base of the changes. */
  isBase(disk: Buffer): boolean {
    return this.base !== null && withoutMark(disk).equals(this.base.bytes);
  }

  private settle(base: CsvFile): void {
    this.base = base;
    this.currentBase = null;
    this.first = null;
    this.typed.clear();
  }

  private startEdit(byUndo: boolean): void {
    const { base, mine } = this;
    this.currentBase = { text: base?.bytes.toString() ?? null, texts: baseOf(base ?? mine) };
    if (base !== null && !byUndo) this.noteTyped(base);
  }

  /** Notes the typed shared cells; only records that were parsed again can have new ones. */
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
        // A row that is cut and pasted comes back unchanged.
        const isBack = this.base !== null && first !== undefined && cellOf(this.base, first, column) === text;
        if (isNews && !isBack) this.typed.add(keyOf(id, column, text));
      }
    }
  }
}

type Rows = ReadonlyMap<TaskId, CsvRecord>;

/** Rows of a base by id: used for every keystroke, and built once. */
const ROWS = new WeakMap<CsvFile, Rows>();

function rowsOf(file: CsvFile): Rows {
  const rows = ROWS.get(file) ?? byId(file, file.records);
  ROWS.set(file, rows);
  return rows;
}

/** Returns a filter for records that `other` does not have; an unchanged record has the very same cells. */
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

/** Removes the byte order mark, as editors do. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;
}
