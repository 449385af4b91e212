import { systemClock } from '../../../platform/clock';
import { digestLater } from '../journal/digest';
import type { FileHistory } from '../journal/fileHistory';
import type { QueuePaths } from '../../queuePaths';
import { textsOf, type FileStamp } from '../../../platform/files/fileStamp';
import type { FileStoreOptions } from '../storeOptions';
import type { Reconciler, FileSnapshot } from '../reading/reconciler';
import { appendLogs, measureLogs } from './logFiles';
import { isAnyUnsaved } from '../editors/openEditors';
import { findBehind, project, type Projection } from './projection';
import { replaceIfLatest } from './replaceIfLatest';

/**
 * Result of a checkpoint. `again`: another process was faster, and another checkpoint is needed. `blocked`: an editor
 * has unsaved changes, and the CSV stays as it is until they are saved.
 */
export type CheckpointEnd = 'done' | 'again' | 'blocked';

/** Brings the CSV and the logs up to the journal. May be delayed at any time: the journal has everything. */
export class Checkpoint {
  /** Bytes of the journal that the CSV and the logs fully contain; -1 before the first checkpoint. */
  private doneAt = -1;

  constructor(
    private readonly paths: QueuePaths,
    private readonly history: FileHistory,
    private readonly reconciler: Reconciler,
    private readonly options: Pick<FileStoreOptions, 'machine' | 'rows'>,
  ) {}

  /** Returns whether the journal may hold something that the CSV or the logs lack. */
  isDue({ isBehind }: FileSnapshot): boolean {
    // The next checkpoint reads the file that was not read here yet.
    return isBehind || this.history.size !== this.doneAt;
  }

  /** Writes a checkpoint. Requires the lock. */
  async carryOut(): Promise<CheckpointEnd> {
    const fileSnapshot = await this.reconciler.takeUp();
    if (fileSnapshot === null || !(await this.finishLogs(false))) return 'again';
    const projection = this.project(fileSnapshot);
    const isBlocked = projection !== null && (await this.isBlocked());
    if (!(await this.write(isBlocked ? null : projection, fileSnapshot))) return 'again';
    if (isBlocked) return 'blocked';
    if (fileSnapshot.rows.set.whole) this.doneAt = this.history.size;
    return 'done';
  }

  /**
   * Returns whether a running editor has unsaved changes. It would refuse to save over a file that was written
   * meanwhile.
   */
  isBlocked(): Promise<boolean> {
    const { machine } = this.options;
    return isAnyUnsaved(this.paths.state, (process) => machine.isAlive(process));
  }

  /** Writes the projection, if any, and the logs. Returns false if another process was faster. */
  private async write(projection: Projection | null, { file }: FileSnapshot): Promise<boolean> {
    if (projection === null && this.history.state.waitingLogs.size === 0) return true;
    const logSizes = await measureLogs(this.paths.state);
    const cells = projection?.cells ?? [];
    const result = projection === null ? null : await digestLater(projection.bytes);
    const base = projection === null ? {} : { base: await digestLater(file.bytes) };
    if (!(await this.history.keep({ fold: { at: systemClock.now(), cells, result, ...base, logSizes } })))
      return false;
    if (projection === null) return this.finishLogs(false);
    let stamp: FileStamp | null = null;
    const options = {
      onReplaced: (found: FileStamp | null): void => void (stamp = found),
      // The user may have typed since the first look. Editors save automatically within a tenth of a second.
      mayReplace: async (): Promise<boolean> => !(await this.isBlocked()),
    };
    const { bytes } = projection;
    if (!(await replaceIfLatest(this.history, this.paths.file, bytes, { file }, options))) return false;
    this.reconciler.noteWritten(bytes, stamp);
    return this.finishLogs(true, stamp);
  }

  /** Writes the logs of a checkpoint that has started, and records its end. Returns false if another process did. */
  private async finishLogs(fileWritten: boolean, stamp: FileStamp | null = null): Promise<boolean> {
    const { interrupted } = this.history.state;
    if (interrupted === null) return true;
    await appendLogs(this.paths.state, interrupted.logs, interrupted.logSizes);
    return this.history.keep({ folded: fileWritten, ...(stamp === null ? {} : { stamp: textsOf(stamp) }) });
  }

  /**
   * Returns the projection, or null if nothing is to be written. Nothing is concluded from a file that is not whole,
   * and nothing is written to it.
   */
  private project({ file, rows }: FileSnapshot): Projection | null {
    if (!rows.set.whole) return null;
    const timeZone = this.options.rows().timeZone;
    return project(
      file,
      rows.rows.flatMap((row) => findBehind(row, this.history.state, timeZone) ?? []),
    );
  }
}
