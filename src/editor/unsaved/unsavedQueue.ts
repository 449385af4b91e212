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
  /** Whether the document had unsaved changes before. VS Code says that it became dirty only after the change itself. */
  readonly wasDirty: boolean;
  /** Whether it is an undo or redo, which restores earlier text, regardless of its author. */
  readonly byUndo: boolean;
}

/** Text that unsaved changes started from; a new object each time that a document without any is changed. */
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
  private edit: EditBase | null = null;
  private readonly typed = new Set<string>();
  /** Whether nothing has happened since the document was opened. */
  private isFresh = true;
  /** Change of a document without unsaved changes: VS Code has not said yet whether the user or the disk made it. */
  private pending: { readonly before: CsvFile; readonly byUndo: boolean } | null = null;
  /** Digests of every text since a save started: VS Code does not report which one it saves. */
  private saving: { readonly atStart: CsvFile; readonly digests: Set<string> } | null = null;
  /** Text after the last merge: a change that leads to it was not typed. */
  private merged: string | null = null;

  constructor(text: string) {
    this.mine = readText(text);
    this.base = this.mine;
  }

  /** Base of the unsaved changes; null while the document equals the file on disk. */
  get editBase(): EditBase | null {
    return this.edit;
  }

  /** Records a change of the text. */
  change(text: string, { wasDirty, byUndo }: TextChange): void {
    const before = this.mine;
    this.mine = readText(text, before);
    this.isFresh = false;
    this.saving?.digests.add(digest(this.mine.bytes));
    if (!wasDirty) {
      this.becomeClean(this.mine);
      this.pending = { before, byUndo };
    } else if (!byUndo && text !== this.merged) {
      this.noteTyped(before);
    }
  }

  /**
   * Records that there are unsaved changes. Without a change before, VS Code restored them after a restart;
   * `remembered` is their base, if known.
   */
  turnDirty(remembered: string | null): void {
    if (this.edit !== null) return;
    const { pending } = this;
    this.pending = null;
    if (pending !== null) this.base = pending.before;
    else if (this.isFresh) this.base = remembered === null ? null : readCsv(Buffer.from(remembered));
    this.startEdit(pending?.byUndo === true);
  }

  /** Records that the document equals the file on disk: its changes were saved (`endSave` came first) or undone. */
  turnClean(): void {
    this.saving = null;
    if (this.edit !== null) this.becomeClean(this.mine);
  }

  /** Records that the document is about to be saved. */
  startSave(): void {
    this.saving = { atStart: this.mine, digests: new Set([digest(this.mine.bytes)]) };
  }

  /** Records a save with the bytes on disk; text typed since then is not saved. */
  endSave(disk: Buffer): void {
    const { base, mine, saving } = this;
    this.saving = null;
    if (this.edit === null) return;
    const saved = readCsv(withoutBom(disk), mine);
    const isKnown = saved === mine || saving?.digests.has(digest(saved.bytes)) === true;
    // The disk has none of the texts that may have been saved: others wrote it since. Then the base is the text with which
    // the save began.
    this.becomeClean(isKnown ? saved : (saving?.atStart ?? base ?? mine));
    if (this.base !== mine) this.startEdit(false);
  }

  /** Returns the edits that the document needs so that a save loses nothing on disk, and expects them. */
  mergeWith(disk: Buffer): Merge {
    const { base, mine } = this;
    if (base === null) {
      const isSame = withoutBom(disk).equals(mine.bytes);
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
    return this.base !== null && withoutBom(disk).equals(this.base.bytes);
  }

  private becomeClean(base: CsvFile): void {
    this.base = base;
    this.edit = null;
    this.pending = null;
    this.typed.clear();
  }

  private startEdit(byUndo: boolean): void {
    const { base, mine } = this;
    this.edit = { text: base?.bytes.toString() ?? null, texts: baseOf(base ?? mine) };
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
      const baseRow = base?.get(id);
      for (const column of SHARED_COLUMNS) {
        const text = cellOf(this.mine, record, column) ?? '';
        const isChanged = last === undefined || cellOf(before, last, column) !== text;
        // A row that is cut and pasted comes back unchanged.
        const isBack =
          this.base !== null && baseRow !== undefined && cellOf(this.base, baseRow, column) === text;
        if (isChanged && !isBack) this.typed.add(keyOf(id, column, text));
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

const BOM = Buffer.from('\ufeff');

/** Removes the byte order mark, as editors do. */
function withoutBom(bytes: Buffer): Buffer {
  return bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;
}
