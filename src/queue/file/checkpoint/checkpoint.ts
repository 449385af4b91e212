import { systemClock } from '../../../platform/clock';
import { DirtyRows } from './dirtyRows';
import { digestLater } from '../journal/digest';
import type { FileHistory } from '../journal/fileHistory';
import type { QueuePaths } from '../../queuePaths';
import { cellNewsOf, type FileState } from '../fileState';
import { textsOf, type FileStamp } from '../../../platform/files/fileStamp';
import type { FileStoreOptions } from '../storeOptions';
import type { Reconciler, FileSnapshot } from '../import/reconciler';
import { appendLogs, measureLogs } from './logFiles';
import { isAnyUnsaved } from '../editors/openEditors';
import { project, type Projection } from './projection';
import { discard, prepareReplace, atomicReplace, replacePrepared, type Successor } from './atomicReplace';

/**
 * `again`: somebody was faster, and another fold is needed; `blocked`: an editor has unsaved changes, and the CSV is
 * left as it is until they are saved.
 */
export type CheckpointEnd = 'done' | 'again' | 'blocked';

/** What a fold would have made of file and journal as they stood. */
interface Plan {
  readonly rows: FileSnapshot['rows'];
  readonly state: FileState;
  /** As many news of cells the journal had. */
  readonly news: number;
  readonly expected: Buffer;
  readonly projection: Projection;
}

/** A plan whose file is written already, beside the one that it will replace. */
export interface PreparedCheckpoint extends Plan {
  readonly successor: Successor;
}

/** Brings the CSV and the logs up to the journal. It may always be later; the journal has it all. */
export class Checkpoint {
  /** What it will have to write. */
  readonly dirtyRows: DirtyRows;

  constructor(
    private readonly paths: QueuePaths,
    private readonly history: FileHistory,
    private readonly reconciler: Reconciler,
    private readonly options: Pick<FileStoreOptions, 'machine' | 'rows'>,
  ) {
    this.dirtyRows = new DirtyRows(() => options.rows().timeZone);
  }

  /** Whether the journal tells of something that the CSV or the logs do not hold yet. */
  isDue({ rows, isBehind }: FileSnapshot): boolean {
    const { waitingLogs, interrupted } = this.history.state;
    // The next fold reads the file that nobody has read here yet.
    if (waitingLogs.size > 0 || interrupted !== null || isBehind) return true;
    return rows.set.whole && this.dirtyRows.find(rows, this.history.state).length > 0;
  }

  /** What one would write now; null where there is nothing, or it is not to be written. No lock is needed. */
  async plan(): Promise<Plan | null> {
    const fileSnapshot = await this.reconciler.observe();
    const { state } = this.history;
    if (state.interrupted !== null || (await this.isBlocked())) return null;
    const projection = this.project(fileSnapshot);
    const { rows, file } = fileSnapshot;
    const news = cellNewsOf(state).count;
    return projection === null ? null : { rows, state, news, expected: file.bytes, projection };
  }

  /** Does what takes long before anybody has to wait for it; the queue may go on meanwhile. */
  async prepare(plan: Plan): Promise<PreparedCheckpoint | null> {
    const successor = await prepareReplace(this.paths.file, plan.projection.bytes, plan.expected);
    return successor === null ? null : { ...plan, successor };
  }

  /** Clears up what may not have been needed. */
  async discard({ successor }: PreparedCheckpoint): Promise<void> {
    await discard(successor);
  }

  /** Only under the lock. */
  async carryOut(prepared: PreparedCheckpoint | null = null): Promise<CheckpointEnd> {
    const fileSnapshot = await this.reconciler.takeUp();
    if (fileSnapshot === null || !(await this.finishLogs(false))) return 'again';
    const usable = prepared !== null && this.isUsable(prepared, fileSnapshot) ? prepared : null;
    const projection = usable === null ? this.project(fileSnapshot) : usable.projection;
    const isBlocked = projection !== null && (await this.isBlocked());
    const isWritten = await this.write(isBlocked ? null : projection, fileSnapshot, usable?.successor);
    if (!isWritten) return 'again';
    return isBlocked ? 'blocked' : 'done';
  }

  /** Whether a living editor has unsaved changes: what is written under them, it would refuse to save over. */
  isBlocked(): Promise<boolean> {
    const { machine } = this.options;
    return isAnyUnsaved(this.paths.state, (process) => machine.isAlive(process));
  }

  /**
   * Whether neither a person nor another fold has changed a cell since. Steps may have been taken: what they did is folded
   * later, as if they had been taken behind the fold.
   */
  private isUsable({ rows, state, news }: Plan, fileSnapshot: FileSnapshot): boolean {
    return rows === fileSnapshot.rows && state === this.history.state && news === cellNewsOf(state).count;
  }

  /** Writes the projection, if there is one, and the logs; false: somebody was faster. */
  private async write(
    projection: Projection | null,
    { file }: FileSnapshot,
    successor?: Successor,
  ): Promise<boolean> {
    if (projection === null && this.history.state.waitingLogs.size === 0) return true;
    const logSizes = await measureLogs(this.paths.state);
    const cells = projection?.cells ?? [];
    const result = projection === null ? null : await digestLater(projection.bytes);
    const base = projection === null ? {} : { base: await digestLater(file.bytes) };
    if (!(await this.history.keep({ fold: { at: systemClock.now(), cells, result, ...base, logSizes } })))
      return false;
    if (projection === null) return this.finishLogs(false);
    let stamp: FileStamp | null = null;
    const written = (found: FileStamp | null): void => void (stamp = found);
    const isReplaced =
      successor === undefined
        ? await atomicReplace(this.paths.file, projection.bytes, file.bytes, written)
        : await replacePrepared(this.paths.file, successor, written);
    if (!isReplaced) return false;
    this.reconciler.believe(projection.bytes, stamp);
    return this.finishLogs(true, stamp);
  }

  /** Writes the logs of a fold that has begun, and notes that it is over; false when somebody else did. */
  private async finishLogs(fileWritten: boolean, stamp: FileStamp | null = null): Promise<boolean> {
    const { interrupted } = this.history.state;
    if (interrupted === null) return true;
    await appendLogs(this.paths.state, interrupted.logs, interrupted.logSizes);
    return this.history.keep({ folded: fileWritten, ...(stamp === null ? {} : { stamp: textsOf(stamp) }) });
  }

  /** From a file that is not whole nothing is concluded, and nothing is written to it. */
  private project({ file, rows }: FileSnapshot): Projection | null {
    if (!rows.set.whole) return null;
    const { state } = this.history;
    this.dirtyRows.take(state.queue);
    return project(file, this.dirtyRows.find(rows, state));
  }
}
