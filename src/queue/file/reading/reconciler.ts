import { existsSync } from 'node:fs';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { type Clock, systemClock } from '../../../platform/clock';
import type { QueuePaths } from '../../queuePaths';
import type { OpId } from '../../taskQueue';
import { draftOf } from '../../model/state/draftState';
import type { QueueState } from '../../model/state/queueState';
import { Step } from '../../model/step';
import type { CsvFile } from '../../csv/csvFile';
import type { FileHistory } from '../journal/fileHistory';
import { msOf, stampFrom, type FileStamp } from '../../../platform/files/fileStamp';
import { t } from '../../../platform/text/translate';
import type { Entry, FileState } from '../fileState';
import type { SharedTexts } from '../../row/sharedCells';
import { findEdits, isNews, recordEdits, type Edits, type MeantCells, type Save } from './importEdits';
import { readBases } from '../editors/openEditors';
import { CsvReader } from './csvReader';
import { RowReader, type FileRows } from './rowReader';
import type { RowContext } from '../../row/rowContext';
import { recoverInterruptedReplaces } from '../checkpoint/replaceIfUnchanged';

/** The file, its rows and the bases of unsaved documents, as they were at one moment of the journal. */
export interface FileSnapshot {
  readonly file: CsvFile;
  readonly rows: FileRows;
  readonly bases: Save['bases'];
  /**
   * Whether the file on the disk is newer than the one that was read. Only checkpoints of other processes changed it,
   * and the journal has all that they wrote.
   */
  readonly isBehind: boolean;
}

/** `now`: the newest file. `later`: one that lacks only checkpoints of other processes will do. */
export type Reading = 'now' | 'later';

/** Most looks at a file and a history that keep changing. After these, the last look is used. */
const MOST_LOOKS = 20;

/** Estimated speed at which a file is written and read, in bytes per ms. */
const BYTES_PER_MS = 100_000;

/** Time without checkpoints after one, as a multiple of the time to write and read the file. */
const REST_FACTOR = 10;

/**
 * The same multiple for processes that did not write the last checkpoint. The process that wrote it has the file in
 * memory, and writes the next checkpoint even on a busy machine.
 */
const REST_FACTOR_OF_OTHERS = 160;

/** Longest wait for another process's checkpoint, in ms: that process may have ended. */
const LONGEST_REST_OF_OTHERS_MS = 5_000;

/**
 * Reads the queue file and the journal so that they fit together, records in the journal what users changed in the file
 * (hand edits), and says when the next checkpoint may be made.
 */
export class Reconciler {
  private readonly csvReader: CsvReader;
  private readonly reader: RowReader;
  private isRecovered = false;
  /** State of the last step, and what it was made of. */
  private started: { readonly sources: readonly unknown[]; readonly state: QueueState } | null = null;
  private basesRead: (Pick<FileSnapshot, 'file' | 'bases'> & { readonly look: object | null }) | null = null;

  constructor(
    private readonly paths: QueuePaths,
    private readonly history: FileHistory,
    private readonly clock: Clock,
    context: () => RowContext,
  ) {
    // The age of a file is measured by the machine's clock, whatever clock the queue uses.
    this.csvReader = new CsvReader(paths.file, systemClock);
    this.reader = new RowReader(context);
  }

  /** Whether the file need not be read: it seems to be the one that was read, or only checkpoints changed it. */
  async seemsCurrent(reading: Reading): Promise<boolean> {
    if (this.csvReader.seemsUnchanged()) return true;
    if (reading === 'now') return false;
    await this.history.catchUp();
    return (await this.findReadBefore()) !== null;
  }

  /** Whether a checkpoint is in progress or was interrupted. */
  get isBeingCheckpointed(): boolean {
    return this.history.state.interrupted !== null;
  }

  /**
   * Returns the file as it was at one moment of the journal. A checkpoint by another process changes both, one after the
   * other; after `MOST_LOOKS` the last look is used.
   */
  async observe(reading: Reading = 'now'): Promise<FileSnapshot> {
    await this.history.catchUp();
    this.refuseOtherQueue();
    for (let looks = 1; ; looks += 1) {
      const readBefore = reading === 'later' ? await this.findReadBefore() : null;
      const file = readBefore ?? (await this.csvReader.read(() => this.digestOfLastCheckpoint()));
      const bases = await this.readBasesOf(file);
      const moved = await this.history.catchUp();
      if (moved && looks < MOST_LOOKS) continue;
      return { file, rows: await this.reader.read(file), bases, isBehind: readBefore !== null };
    }
  }

  /**
   * Returns a step on the current file and state. Hand edits that the journal lacks are applied to a draft of the
   * state and not kept. While nothing changes, the state is the same one.
   */
  startStepOn(fileSnapshot: FileSnapshot, startStep: (state: QueueState) => Step): Step {
    const sources = this.sourcesOf(fileSnapshot);
    const { started } = this;
    if (started?.sources.every((source, index) => source === sources[index]) === true) {
      return startStep(started.state);
    }
    const { queue } = this.history.state;
    const edits = this.findEdits(fileSnapshot);
    const news = edits !== null && isNews(edits) ? edits : null;
    const step = startStep(news === null ? queue : draftOf(queue));
    if (news !== null) recordEdits(step, news);
    this.started = { sources, state: step.state };
    return step;
  }

  /**
   * As `observe`, and records hand edits in the journal; of a file that is not whole, nothing. Returns null if another
   * process wrote the journal meanwhile, although this one has the lock: it may have lost it. Requires the lock.
   */
  async takeUp(op?: OpId, reading: Reading = 'now', meant?: MeantCells): Promise<FileSnapshot | null> {
    if (!this.isRecovered) await this.recover();
    const fileSnapshot = await this.observe(reading);
    if (fileSnapshot.isBehind) return fileSnapshot;
    const { state } = this.history;
    const edits = this.findEdits(fileSnapshot, meant);
    if (edits === null) return fileSnapshot;
    const { found } = edits;
    if (found.length === 0 && !isNews(edits) && state.unconfirmed.size === 0) return fileSnapshot;
    const step = new Step(state.queue, fileSnapshot.rows.set, this.clock.now(), op);
    recordEdits(step, edits);
    const isKept = await this.history.keep({ events: step.events, found, ...this.newName(state) });
    return isKept ? fileSnapshot : null;
  }

  /** Returns the file's name if the history does not have it yet. */
  private newName({ file }: FileState): Pick<Entry, 'file'> {
    return file === this.name ? {} : { file: this.name };
  }

  private get name(): string {
    return path.basename(this.paths.file);
  }

  /**
   * Refuses a folder that belongs to another queue: ids alone do not distinguish the tasks of two files. A file that
   * was renamed is still the same queue.
   * @throws Problem `conflict`
   */
  private refuseOtherQueue(): void {
    const other = this.history.state.file;
    if (other === null || other === this.name) return;
    if (!existsSync(path.join(this.paths.folder, other))) return;
    throw new Problem(
      'conflict',
      t(
        '{0} keeps the history of {1}, which is another queue. Put {2} into a folder of its own.',
        this.paths.state.folder,
        other,
        this.name,
      ),
    );
  }

  /** Returns all that hand edits follow from. The journal grows, or is another one, with each change of its state. */
  private sourcesOf({ rows, bases }: FileSnapshot): readonly unknown[] {
    const { state, size } = this.history;
    return [rows, bases, state, state.queue.revision, size, this.csvReader.savedAt];
  }

  /** Returns hand edits that the journal lacks; null if the file is not whole: it is half written, or damaged. */
  private findEdits({ rows, bases }: FileSnapshot, meant?: MeantCells): Edits | null {
    return findEdits(this.history.state, rows, { savedAt: this.csvReader.savedAt, bases }, meant);
  }

  /**
   * Returns the earliest time of the next checkpoint by any process, so that readers of the file are not kept busy.
   * The processes do not know of each other, but all see when the file was written.
   */
  nextCheckpointAt(): EpochMs {
    const { savedAt, size } = this.csvReader;
    return Math.max(savedAt + (REST_FACTOR * size) / BYTES_PER_MS, this.leftToLastWriterUntil());
  }

  /**
   * Returns the time until which the next checkpoint is left to the process that wrote the last one. Returns 0 if this
   * process wrote it.
   */
  leftToLastWriterUntil(): EpochMs {
    const { lastFold } = this.history.state;
    if (lastFold === null || this.csvReader.isAtHand(lastFold.stamp)) return 0;
    const rest = (REST_FACTOR_OF_OTHERS * this.csvReader.size) / BYTES_PER_MS;
    return msOf(stampFrom(lastFold.stamp).mtimeNs) + Math.min(rest, LONGEST_REST_OF_OTHERS_MS);
  }

  /** Takes `bytes` as the content that this process has just written. */
  noteWritten(bytes: Buffer, stamp: FileStamp | null): void {
    this.csvReader.noteWritten(bytes, stamp);
  }

  /** Returns the file that was read last if only completed checkpoints have changed it since; else null. */
  private async findReadBefore(): Promise<CsvFile | null> {
    const { interrupted, lastFold } = this.history.state;
    return interrupted !== null || lastFold === null ? null : this.csvReader.findReadBefore(lastFold);
  }

  private async recover(): Promise<void> {
    await recoverInterruptedReplaces(this.paths.file);
    await this.history.clearUp();
    this.isRecovered = true;
  }

  /**
   * Returns the bases of unsaved documents: the shared cells that their users started from. Reads them once per save of
   * the file, even if a save brings back an earlier version: that one may have other bases.
   * An editor writes its base before it saves, and removes it only after the journal has what it saved. So the bases
   * are read after the file and before the end of the journal.
   */
  private async readBasesOf(file: CsvFile): Promise<Save['bases']> {
    const look = this.csvReader.lastLook;
    if (this.basesRead?.file !== file || this.basesRead.look !== look) {
      const bases = new Map<TaskId, SharedTexts[]>();
      for (const [id, texts] of await readBases(this.paths.state)) {
        bases.set(id, [...(bases.get(id) ?? []), texts]);
      }
      this.basesRead = { file, look, bases };
    }
    return this.basesRead.bases;
  }

  /** Returns the digest of the file that the last checkpoint wrote, by any process. Such a file is whole, however new. */
  private async digestOfLastCheckpoint(): Promise<string | null> {
    await this.history.catchUp();
    return this.history.state.lastResult;
  }
}
