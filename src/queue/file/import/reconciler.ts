import { existsSync } from 'node:fs';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { type Clock, systemClock } from '../../../platform/clock';
import type { QueuePaths } from '../../queuePaths';
import type { OpId } from '../../taskQueue';
import { copyState, type QueueState } from '../../model/queueState';
import { Step } from '../../model/step';
import type { CsvFile } from '../../csv/csvFile';
import type { FileHistory } from '../journal/fileHistory';
import { msOf, stampFrom, type FileStamp } from '../../../platform/files/fileStamp';
import type { Entry, FileState, SharedTexts } from '../fileState';
import { findEdits, isNews, recordEdits, type Edits, type Save } from './importEdits';
import { readBases } from '../editors/openEditors';
import { QueueFile } from './queueFile';
import { RowReader, type FileRows } from './queueRows';
import type { RowContext } from '../../row/rowContext';
import { clearUp } from '../checkpoint/atomicReplace';

/** The file and its rows at one moment, when the history was as it is. */
export interface FileSnapshot {
  readonly file: CsvFile;
  readonly rows: FileRows;
  readonly bases: Save['bases'];
  /** Whether folds by others have changed shared cells since it was read: the journal has them. People changed nothing. */
  readonly isBehind: boolean;
}

/** Whether a file may be read later of which is known that others' folds alone have changed it. */
export type Reading = 'now' | 'later';

/** As many looks as there are at a file and a history that keep changing under them. */
const MOST_LOOKS = 20;

/** Writing and reading a file takes about a millisecond for N bytes; and it rests for N times as long. */
const BYTES_PER_MS = 100_000;
const REST = 10;

/**
 * Anyone who made the last fold has the file at hand, and makes the next one too: others rest longer, also than one whom a
 * busy machine keeps from folding.
 */
const REST_OF_OTHERS = 160;

/** A process that folded may have ended: the file is not further behind. */
const MOST_REST_MS = 5_000;

/** Brings together what the file says and what the journal says. */
export class Reconciler {
  private readonly queueFile: QueueFile;
  private readonly reader: RowReader;
  private cleared = false;
  private basesRead: Pick<FileSnapshot, 'file' | 'bases'> | null = null;

  constructor(
    private readonly paths: QueuePaths,
    private readonly history: FileHistory,
    private readonly clock: Clock,
    context: () => RowContext,
  ) {
    // A file settles in the machine's time, whatever time the queue is told.
    this.queueFile = new QueueFile(paths.file, systemClock);
    this.reader = new RowReader(context);
  }

  /**
   * Whether nobody has to wait for the file: it seems to be the one that was read, or what folds made of it.
   * @throws as `observe`
   */
  async seemsCurrent(reading: Reading): Promise<boolean> {
    if (this.queueFile.seemsUnchanged()) return true;
    if (reading === 'now') return false;
    await this.history.catchUp();
    return (await this.findCheckpointed()) !== null;
  }

  /** Whether somebody is just writing the file, or has died over it. */
  get isBeingCheckpointed(): boolean {
    return this.history.state.interrupted !== null;
  }

  /**
   * File and history as they were at one moment: a fold by another process changes first the one, then the other.
   * @throws Problem `queue-missing`, `queue-unreadable`, `state-newer`, `state-damaged`, `conflict`
   */
  async observe(reading: Reading = 'now'): Promise<FileSnapshot> {
    await this.history.catchUp();
    this.refuseOthers();
    for (let looks = 1; ; looks += 1) {
      const folded = reading === 'later' ? await this.findCheckpointed() : null;
      const file = folded ?? (await this.queueFile.read(() => this.lastResult()));
      const bases = await this.readBasesOf(file);
      const moved = await this.history.catchUp();
      if (moved && looks < MOST_LOOKS) continue;
      return { file, rows: await this.reader.read(file), bases, isBehind: folded !== null };
    }
  }

  /**
   * A step on file and state as they are; what people did to the file and nobody has told the journal has happened in
   * it, and is not kept.
   */
  lookAt(fileSnapshot: FileSnapshot, begin: (state: QueueState) => Step): Step {
    const { state } = this.history;
    const edits = this.findEdits(fileSnapshot);
    if (edits === null || !isNews(edits)) return begin(state.queue);
    const step = begin(copyState(state.queue));
    recordEdits(step, edits);
    return step;
  }

  /** As `observe`, and tells the journal what people did; null when another process was faster. Only under the lock. */
  async takeUp(op?: OpId, reading: Reading = 'now'): Promise<FileSnapshot | null> {
    if (!this.cleared) await this.clearUp();
    const fileSnapshot = await this.observe(reading);
    if (fileSnapshot.isBehind) return fileSnapshot;
    const { state } = this.history;
    const edits = this.findEdits(fileSnapshot);
    if (edits === null) return fileSnapshot;
    const { found } = edits;
    if (found.length === 0 && !isNews(edits) && state.unconfirmed.size === 0) return fileSnapshot;
    const step = new Step(state.queue, fileSnapshot.rows.set, this.clock.now(), op);
    recordEdits(step, edits);
    const isKept = await this.history.keep({ events: step.events, found, ...this.newName(state) });
    return isKept ? fileSnapshot : null;
  }

  /** The file's name, where the history does not know it yet. */
  private newName({ file }: FileState): Pick<Entry, 'file'> {
    return file === this.name ? {} : { file: this.name };
  }

  private get name(): string {
    return path.basename(this.paths.file);
  }

  /**
   * One folder is for one queue: by its ids alone nobody could tell one file's tasks from the other's. A file that has
   * another name now is still the same queue.
   */
  private refuseOthers(): void {
    const other = this.history.state.file;
    if (other === null || other === this.name) return;
    if (!existsSync(path.join(this.paths.folder, other))) return;
    throw new Problem(
      'conflict',
      `${this.paths.state.folder} keeps the history of ${other}, which is another queue. Put ${this.name} into a folder of its own.`,
    );
  }

  /** What people did to the file since the journal was last told of it; null where the file says nothing. */
  private findEdits({ rows, bases }: FileSnapshot): Edits | null {
    return findEdits(this.history.state, rows, { savedAt: this.queueFile.savedAt, bases });
  }

  /**
   * Until when nobody should fold again, so that all who have the file open are not busy with reading it: they do not
   * know of each other, but all see when it was written.
   */
  restsUntil(): EpochMs {
    const { savedAt, size } = this.queueFile;
    return Math.max(savedAt + (REST * size) / BYTES_PER_MS, this.othersCheckpointUntil());
  }

  /** Until when the fold that another process has made will do: all that it left behind, that one writes. */
  othersCheckpointUntil(): EpochMs {
    const { lastFold } = this.history.state;
    if (lastFold === null || this.queueFile.isAtHand(lastFold.stamp)) return 0;
    const rest = (REST_OF_OTHERS * this.queueFile.size) / BYTES_PER_MS;
    return msOf(stampFrom(lastFold.stamp).mtimeNs) + Math.min(rest, MOST_REST_MS);
  }

  /** What was just put in the file's place. */
  believe(bytes: Buffer, stamp: FileStamp | null): void {
    this.queueFile.believe(bytes, stamp);
  }

  /** What was read last, if only folds have come to their ends since. */
  private async findCheckpointed(): Promise<CsvFile | null> {
    const { interrupted, lastFold } = this.history.state;
    return interrupted !== null || lastFold === null ? null : this.queueFile.findCheckpointed(lastFold);
  }

  private async clearUp(): Promise<void> {
    await clearUp(this.paths.file);
    await this.history.clearUp();
    this.cleared = true;
  }

  /**
   * Read once for each file that is met: an editor leaves its base before it saves, and takes it away only when the
   * journal has been told of what it saved. So they are read behind the file and before the end of the journal.
   */
  private async readBasesOf(file: CsvFile): Promise<Save['bases']> {
    if (this.basesRead?.file !== file) {
      const bases = new Map<TaskId, SharedTexts[]>();
      for (const [id, texts] of await readBases(this.paths.state)) {
        bases.set(id, [...(bases.get(id) ?? []), texts]);
      }
      this.basesRead = { file, bases };
    }
    return this.basesRead.bases;
  }

  /** What a fold wrote, also another process's, need not settle. */
  private async lastResult(): Promise<string | null> {
    await this.history.catchUp();
    return this.history.state.lastResult;
  }
}
