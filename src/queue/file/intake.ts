import { setImmediate as breathe } from 'node:timers/promises';
import type { TaskId } from '../../domain/task';
import { type Clock, systemClock } from '../../platform/clock';
import type { OpId } from '../taskQueue';
import { copyState, type QueueState } from '../model/state';
import { Step } from '../model/steps';
import type { CsvFile } from '../csv/csvFile';
import type { FileHistory } from './fileHistory';
import { countCellNews, type FileState, type SharedTexts } from './fileState';
import { ingest, type Save } from './ingest';
import { readBases } from './openEditors';
import { QueueFile } from './queueFile';
import { RowReader, type FileRows } from './queueRows';
import type { RowContext } from '../csv/row';
import { clearUp } from './swap';

/** The file and its rows at one moment, when the history stood as it stands. */
export interface Sighting {
  readonly file: CsvFile;
  readonly rows: FileRows;
  readonly bases: Save['bases'];
}

/** As many looks as there are at a file and a history that keep changing under them. */
const MOST_LOOKS = 20;

/** As many rows are understood in less than a millisecond. */
const LARGE_ROWS = 1_000;

/** A file and a history that were brought together. */
class Known {
  private sighting: Sighting | null = null;
  private state: FileState | null = null;
  private news = 0;

  remember(sighting: Sighting, state: FileState): void {
    [this.sighting, this.state, this.news] = [sighting, state, countCellNews(state)];
  }

  isOf({ rows, bases }: Sighting, state: FileState): boolean {
    const { sighting } = this;
    if (sighting?.rows !== rows || sighting.bases !== bases) return false;
    return this.state === state && this.news === countCellNews(state);
  }
}

/** Brings together what the file says and what the journal says. */
export class Intake {
  private readonly queueFile: QueueFile;
  private readonly reader: RowReader;
  private rowsRead: Pick<Sighting, 'file' | 'rows'> | null = null;
  /** In which there is nothing for the journal to be told, and, less than that, nothing that has not happened already. */
  private readonly takenUp = new Known();
  private readonly seen = new Known();
  private cleared = false;
  private basesRead: Pick<Sighting, 'file' | 'bases'> | null = null;

  constructor(
    private readonly place: { readonly file: string; readonly stateFolder: string },
    private readonly history: FileHistory,
    private readonly clock: Clock,
    context: RowContext,
  ) {
    // A file settles in the machine's time, whatever time the queue is told.
    this.queueFile = new QueueFile(place.file, systemClock);
    this.reader = new RowReader(context);
  }

  /** Whether the file is the one that was read: nobody has to wait for it. @throws as `observe` */
  isUnchanged(): boolean {
    return this.queueFile.findUnchanged() !== null;
  }

  /**
   * File and history as they stood at one moment: a fold by another process changes first the one, then the other.
   * @throws Problem `queue-missing`, `queue-unreadable`, `state-newer`, `state-damaged`
   */
  async observe(): Promise<Sighting> {
    await this.history.catchUp();
    for (let looks = 1; ; looks += 1) {
      const file = await this.queueFile.read(() => this.lastResult());
      const bases = await this.readBasesOf(file);
      const moved = await this.history.catchUp();
      if (!moved || looks === MOST_LOOKS) return { file, rows: await this.readRows(file), bases };
    }
  }

  /**
   * A step on file and state as they stand; what people did to the file and nobody has told the journal has happened in
   * it, and is not kept.
   */
  lookAt(sighting: Sighting, begin: (state: QueueState) => Step): Step {
    const { queue } = this.history.state;
    if (this.seen.isOf(sighting, this.history.state)) return begin(queue);
    const step = begin(copyState(queue));
    this.see(sighting, step);
    // Where nothing was to be seen, the copy says nothing else than the state.
    if (step.events.length > 0) return step;
    this.seen.remember(sighting, this.history.state);
    return begin(queue);
  }

  /** As `observe`, and tells the journal what people did; null when another process was faster. Only under the lock. */
  async takeUp(op?: OpId): Promise<Sighting | null> {
    if (!this.cleared) await clearUp(this.place.file);
    this.cleared = true;
    const sighting = await this.observe();
    const { state } = this.history;
    if (this.takenUp.isOf(sighting, state)) return sighting;
    const step = new Step(state.queue, sighting.rows, this.clock.now(), op);
    const found = this.see(sighting, step);
    if (found === null) return sighting;
    const isNews = found.length > 0 || step.events.length > 0 || state.unconfirmed.size > 0;
    if (isNews && !(await this.history.keep({ events: step.events, found }))) return null;
    this.takenUp.remember(sighting, state);
    return sighting;
  }

  /** What people did to the file since the journal was last told of it, as a step. */
  private see({ rows, bases }: Sighting, step: Step): ReturnType<typeof ingest> {
    return ingest(step, this.history.state, rows, { savedAt: this.queueFile.savedAt, bases });
  }

  /** What is understood of a file; before and behind what takes long the others of this process get their turn. */
  private async readRows(file: CsvFile): Promise<FileRows> {
    if (this.rowsRead?.file === file) return this.rowsRead.rows;
    const isLarge = file.records.length > LARGE_ROWS;
    if (isLarge) await breathe();
    const rows = this.reader.read(file);
    this.rowsRead = { file, rows };
    if (isLarge) await breathe();
    return rows;
  }

  /** What was just put in the file's place. */
  believe(bytes: Buffer): void {
    this.queueFile.believe(bytes);
  }

  /**
   * Read once for each file that is met: an editor leaves its base before it saves, and takes it away only when the
   * journal has been told of what it saved. So they are read behind the file and before the end of the journal.
   */
  private async readBasesOf(file: CsvFile): Promise<Save['bases']> {
    if (this.basesRead?.file !== file) {
      const bases = new Map<TaskId, SharedTexts[]>();
      for (const [id, texts] of await readBases(this.place.stateFolder)) {
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
