import * as path from 'node:path';
import type { TaskId } from '../../../src/domain/task/task';
import { columnOf, isRow, parseSheet, textOf, withoutSharedCells, type Sheet } from '../../generated/sheet';
import { editByHand, type HandEdit } from '../../generated/handEdits';
import type { Owner } from '../audit/ownerAudit';
import type { Kernel } from '../machine/kernel';
import type { SimProcess } from '../machine/process';
import type { Random } from '../machine/random';
import { QUEUE_FILE, type SimWindow } from '../program/host';
import { drawEdit } from './editDraw';
import { checkMerge } from './mergeAudit';
import { Violation } from './violation';

const SHARED = ['status', 'scheduled_time', 'retry_count'] as const;
type Shared = (typeof SHARED)[number];

/** Time in ms in which a checkpoint that has started before an announcement is recorded. */
const MARKED_MS = 2_000;

/** A save that is under way. */
interface Save {
  /** Whether no other save or command was under way meanwhile. Of two at once, the later one wins. */
  isAlone: boolean;
}

/** The user at the queue file: edits it by hand and knows what it must hold. */
export class HandOwner implements Owner {
  /** The file as the user left it; null: a command has changed its rows since. */
  private left: string | null = null;
  private readonly touches: { readonly id: TaskId; readonly at: number }[] = [];
  private readonly steps: number[] = [];
  private readonly written = new Set<string>();
  private readonly earlier: string[] = [];
  /** Saves that are under way, by who saves. */
  private readonly saves = new Map<object, Save>();
  /** Editor windows with unsaved changes that were announced, with the running time since when. */
  readonly dirtySince = new Map<SimProcess, number>();
  /** Number of commands that change rows now. */
  private editing = 0;

  constructor(private readonly kernel: Kernel) {}

  get now(): number {
    return this.kernel.now;
  }

  touchedSince(id: TaskId, at: number): boolean {
    return this.touches.some((touch) => touch.id === id && touch.at >= at) || this.hasSteppedSince(at);
  }

  hasSteppedSince(at: number): boolean {
    return this.steps.some((step) => step >= at);
  }

  isTyping(): boolean {
    return [...this.dirtySince.values()].some((since) => this.now - since > MARKED_MS);
  }

  hasWritten(id: TaskId, column: Shared, text: string): boolean {
    return this.written.has(`${String(id)}/${column}/${text}`);
  }

  /** Notes that the user changed this task in another way. */
  touch(id: TaskId): void {
    this.touches.push({ id, at: this.kernel.wall() });
  }

  /** Notes that the user puts rows back as they were. */
  noteRestored(text: string): void {
    for (const [id, rows] of sharedOf(parseSheet(text))) {
      this.touch(id);
      for (const cells of rows)
        for (const column of SHARED)
          this.written.add(`${String(id)}/${column}/${meaningOf(column, cells[column])}`);
    }
  }

  /** Notes that the clock is about to be set. */
  noteStep(byMs: number): void {
    this.steps.push(Math.max(this.kernel.wall(), this.kernel.wall() + byMs));
  }

  /** Writes the first version of the file. */
  create(text: string): void {
    const { disk } = this.kernel;
    const inode = disk.create('file', 0o644);
    inode.bytes = Buffer.from(text);
    inode.durable = inode.bytes;
    disk.enter(QUEUE_FILE, inode, 'open');
    this.left = text;
    this.earlier.unshift(text);
  }

  /** A command is about to change rows. Returns what to call when it has ended. */
  letOthersEdit(): () => void {
    this.left = null;
    this.editing += 1;
    for (const save of this.saves.values()) save.isAlone = false;
    return () => {
      this.editing -= 1;
    };
  }

  /** A command is through: the file is as its owner wants it, unless another one still changes rows. */
  accept(): void {
    if (this.editing === 0 && !this.isSaving) this.left ??= this.read();
  }

  private get isSaving(): boolean {
    return this.saves.size > 0;
  }

  private startSave(by: object): void {
    for (const other of this.saves.values()) other.isAlone = false;
    this.saves.set(by, { isAlone: !this.isSaving && this.editing === 0 });
    this.left = null;
  }

  private endSave(by: object, text: string): void {
    const isAlone = this.saves.get(by)?.isAlone === true;
    this.saves.delete(by);
    if (isAlone) this.remember(text);
    else this.acceptAnew();
  }

  private acceptAnew(): void {
    this.left = null;
    this.accept();
  }

  /** Checks that nothing of the user's is lost. @throws Violation */
  check(): void {
    const { left } = this;
    const text = this.read();
    if (left === null || text === null || this.isSaving) return;
    if (withoutSharedCells(text) !== withoutSharedCells(left))
      throw new Violation(
        'edits kept',
        `you left ${JSON.stringify(left)}, and there is ${JSON.stringify(text)}`,
      );
  }

  read(): string | null {
    return this.kernel.disk.read(QUEUE_FILE)?.toString() ?? null;
  }

  /** Edits the file by hand, in one of the ways in which editors save. */
  edit(random: Random, draw: (sheet: Sheet) => HandEdit | null): void {
    this.check();
    const before = this.read();
    if (before === null || before === '' || this.isSaving) return;
    const sheet = parseSheet(before);
    const edit = draw(sheet);
    const text = edit === null ? null : editByHand(sheet, edit, this.earlier);
    if (text === null || text === before) return;
    this.note(before, text);
    if (random.oneIn(2)) this.saveByRename(text);
    else this.saveInPlace(text, drawSaveMs(random));
  }

  private saveByRename(text: string): void {
    const { disk } = this.kernel;
    const inode = disk.create('file', 0o644);
    inode.bytes = Buffer.from(text);
    inode.durable = inode.bytes;
    disk.enter(QUEUE_FILE, inode, 'rename');
    this.remember(text);
  }

  private saveInPlace(text: string, tookMs: number): void {
    const { disk } = this.kernel;
    const inode = disk.get(QUEUE_FILE, 'open');
    this.startSave(inode);
    disk.truncate(inode, 0, QUEUE_FILE);
    this.kernel.after(null, tookMs, () => {
      inode.bytes = Buffer.from(text);
      inode.durable = inode.bytes;
      disk.touch(inode);
      disk.changed(QUEUE_FILE);
      this.endSave(inode, text);
    });
  }

  private remember(text: string): void {
    // A command that changes rows now may change this version too.
    this.left = this.editing === 0 ? text : null;
    this.earlier.unshift(text);
    this.earlier.length = Math.min(this.earlier.length, 4);
  }

  /** Ends a save that is under way, with its editor: what is there counts. */
  forgetSave(by: object): void {
    this.saves.delete(by);
    this.acceptAnew();
  }

  /** Power was cut: of the file as it was before, a save that was not synced is lost, and what is there counts. */
  losePower(before: string | null): void {
    this.saves.clear();
    this.acceptAnew();
    const text = this.read();
    // An earlier text of a cell is as one that the user typed.
    if (before !== null && text !== null && text !== before) this.note(before, text);
  }

  /** Returns what the rows of the file say now that an approval binds. */
  readDefinitions(): { readonly id: TaskId; readonly workingDir: string; readonly prompt: string }[] {
    const sheet = parseSheet(this.read() ?? '');
    return rowsOf(sheet).map(({ id, line }) => {
      const folder = textOf(sheet, line, 'working_dir') ?? '';
      return { id, workingDir: path.resolve('/place', folder), prompt: textOf(sheet, line, 'prompt') ?? '' };
    });
  }

  /** Returns an editor's text after a change by the user; null: the change does not fit. */
  draftIn(text: string, random: Random): string | null {
    const edited = editByHand(
      parseSheet(text),
      drawEdit(random, this.kernel.wall(), random.between(0, 7)),
      [],
    );
    return edited === text ? null : edited;
  }

  /** Saves an editor's document, with what the editor does before it. @throws Violation if it loses anything */
  async saveWindow(window: SimWindow, opened: string, typed: string): Promise<void> {
    // The editor may die in the middle.
    this.note(opened, typed);
    this.startSave(window);
    const before = this.read() ?? '';
    try {
      const end = await window.save();
      // After a conflict the user chose the document.
      if (end === null) this.note(before, window.text());
      else checkMerge({ opened, typed, before: window.mergedWith(), saved: window.text() });
    } catch (error) {
      this.saves.delete(window);
      throw error;
    }
    this.noteSaved(window);
  }

  /** Notes what the user saved over `before`. */
  note(before: string, text: string): void {
    const [old, fresh] = [parseSheet(before), parseSheet(text)];
    const texts = sharedOf(old);
    for (const [id, rows] of sharedOf(fresh)) {
      const earlier = texts.get(id) ?? [];
      // With an id twice, each of the rows may be the one that a cut-off save leaves.
      for (const cells of rows)
        for (const column of SHARED)
          if (earlier.length !== 1 || rows.length !== 1 || earlier[0]?.[column] !== cells[column])
            this.written.add(`${String(id)}/${column}/${meaningOf(column, cells[column])}`);
    }
    for (const { id } of rowsOf(fresh)) this.touch(id);
    for (const { id } of rowsOf(old)) this.touch(id);
  }

  /** Notes the document that an editor saved, merged with what was on the disk. */
  private noteSaved(window: SimWindow): void {
    const text = window.text();
    for (const { id } of rowsOf(parseSheet(text))) this.touch(id);
    this.endSave(window, text);
  }
}

/** Draws how long a save in place takes. Few take so long that two looks at the file find it empty. */
function drawSaveMs(random: Random): number {
  const part = random.next();
  return part < 0.9 ? part * 30 : (part - 0.9) * 20_000;
}

function rowsOf(sheet: Sheet): { readonly id: TaskId; readonly line: Sheet['lines'][number] }[] {
  return sheet.lines
    .filter(isRow)
    .map((line) => ({ id: Number(textOf(sheet, line, 'id')), line }))
    .filter(({ id }) => Number.isSafeInteger(id));
}

/** Returns the texts of the shared cells of the rows by id. A column that is not there is as an empty cell. */
function sharedOf(sheet: Sheet): Map<TaskId, Record<Shared, string>[]> {
  const textIn = (line: Sheet['lines'][number], column: Shared): string =>
    columnOf(sheet, column) < 0 ? '' : (textOf(sheet, line, column) ?? '').trim().toLowerCase();
  const rows = new Map<TaskId, Record<Shared, string>[]>();
  for (const { id, line } of rowsOf(sheet)) {
    const cells = {
      status: textIn(line, 'status'),
      scheduled_time: textIn(line, 'scheduled_time'),
      retry_count: textIn(line, 'retry_count'),
    };
    rows.set(id, [...(rows.get(id) ?? []), cells]);
  }
  return rows;
}

/** Meaning of an empty cell. */
const EMPTY = { status: 'pending', scheduled_time: '', retry_count: '0' } as const;

function meaningOf(column: Shared, text: string): string {
  return text === '' ? EMPTY[column] : text;
}
