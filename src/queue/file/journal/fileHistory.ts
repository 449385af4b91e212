import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { syncPath } from '../../../platform/files/files';
import { t } from '../../../platform/text/translate';
import type { ProcessOwner } from '../../../domain/queue/view';
import { livenessOn } from '../../model/liveness';
import { findLivingOwner } from '../../model/registration';
import { attemptsThatStay, forgetHistory } from '../../model/keptAttempts';
import { forgetCallbacks } from '../../model/state/callbackState';
import type { Past } from '../../model/replay/pastQueue';
import type { StatePaths } from '../../queuePaths';
import type { Machine } from '../../taskQueue';
import { isSoundEntry } from './entryShape';
import { applyEntry, applyRest, emptyFileState, type Entry, type FileState } from '../fileState';
import { Journal } from './journal';
import { damaged, STATE_VERSION } from './journalLine';
import { foreignHistory, type KnownHistory } from './knownHistory';
import { forgetPast, readPast } from './readPast';
import { archiveAttempts, retire, sizeArchived } from './retention';
import { composeSnapshot } from './snapshotParts';

/** Size from which a journal is worth replacing, in bytes. A smaller one is read in no time. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Growth, as a multiple of its snapshot, at which a journal is replaced. Each byte is then written at most once more.
 */
const GROWTH = 4;

/** Interval between looks for attempts that are too old, in ms. They cause a small journal to be replaced too. */
const LOOK_FOR_OLD_MS = 24 * 3_600_000;

/** Dependencies of a history. */
export interface HistoryOptions {
  readonly known: KnownHistory;
  readonly machine: Machine;
  /** Size up to which a journal is left as it is, in bytes. */
  readonly largeBytes?: number;
}

/** State of a queue file as its journal describes it, updated as others append. */
export class FileHistory {
  private current: FileState = emptyFileState();
  private readonly journal: Journal<Entry>;
  private lookedForOldAt: EpochMs = -Infinity;
  /** Whether the journal that was read is known as this user's own. */
  private isOwn = false;
  /** Whether it is recorded that a journal names this history. */
  private isNamed = false;
  private readonly largeBytes: number;

  constructor(
    private readonly paths: StatePaths,
    private readonly options: HistoryOptions,
  ) {
    this.largeBytes = options.largeBytes ?? LARGE_BYTES;
    this.journal = new Journal(paths.of('journal'), paths.of('archive'), () =>
      options.known.name(!this.isEarlierFormat),
    );
  }

  get state(): FileState {
    return this.current;
  }

  /** Returns the kept past from this time on, of the history that was read. */
  past(from: EpochMs): Past {
    return readPast(this.paths, this.journal.header?.history ?? null, from);
  }

  /** Bytes of the journal that have been read or written. */
  get size(): number {
    return this.journal.size;
  }

  /**
   * Whether the journal has been replaced and must be read from its beginning. A hint only: it may change at once.
   */
  isReplaced(): boolean {
    return this.journal.isReplaced;
  }

  /** Whether an earlier version of this program wrote the journal. */
  private get isEarlierFormat(): boolean {
    return (this.journal.header?.version ?? STATE_VERSION) < STATE_VERSION;
  }

  /** Reads what others have appended. Returns whether there was anything. */
  async catchUp(): Promise<boolean> {
    const { restarted, entries } = await this.journal.read();
    if (restarted || !this.isOwn) await this.refuseForeign();
    if (!entries.every(isSoundEntry)) this.refuseUnsound();
    // A snapshot holds the whole state: discard the old one.
    if (restarted || entries[0]?.snapshot !== undefined) this.current = emptyFileState();
    for (const entry of entries) applyEntry(this.current, entry);
    return restarted || entries.length > 0;
  }

  /**
   * Appends an entry whose events are applied to the state already. Returns false if another process was faster.
   * Requires the lock.
   */
  async keep(entry: Entry): Promise<boolean> {
    const kept = await this.unlessForgotten(() => this.journal.append(entry));
    if (kept) applyRest(this.current, entry);
    else await this.rollOverSealed();
    return kept;
  }

  /**
   * Replaces a journal of an earlier format, unless a worker of that version still runs. Records that a journal names
   * this history. Returns false if another process was faster. Requires the lock.
   */
  async takeOver(): Promise<boolean> {
    if (this.journal.header === null || this.findOlderWorker() !== null) return true;
    if (this.isEarlierFormat) {
      // Earlier formats had none.
      forgetCallbacks(this.current.queue);
      if (!(await this.rollOver())) return false;
    }
    if (!this.isNamed) await this.options.known.name(true);
    this.isNamed = true;
    return true;
  }

  /**
   * Replaces the journal by one that names this user's own history, without callbacks. Returns false if another
   * process was faster. Requires the lock.
   */
  async makeOwn(): Promise<boolean> {
    forgetCallbacks(this.current.queue);
    if (!(await this.rollOver())) return false;
    await this.options.known.name(true);
    this.isNamed = true;
    return true;
  }

  /** Path of the lock: that of the earlier version while a worker of it runs. */
  get lock(): string {
    return this.paths.of(this.findOlderWorker() === null ? 'lock' : 'earlierLock');
  }

  /**
   * Returns a running worker of an earlier version, or null. It knows neither this format nor what is recorded in it.
   */
  findOlderWorker(): ProcessOwner | null {
    return this.isEarlierFormat
      ? findLivingOwner(this.current.queue, livenessOn(this.options.machine))
      : null;
  }

  /**
   * Replaces a journal that has grown large, or holds attempts older than `keptMs`, by a snapshot without these.
   * Archives them. Requires the lock.
   */
  async compactIfDue(now: EpochMs, keptMs: number): Promise<void> {
    const { size, snapshotSize } = this.journal;
    const isLarge = size > this.largeBytes && size > GROWTH * snapshotSize;
    if (isLarge || this.findsTooOld(now, keptMs)) {
      await this.compact(now, keptMs);
      await forgetPast(this.paths, now - keptMs);
    }
    if (this.current.leaving.length === 0) return;
    await archiveAttempts(this.paths, this.current);
    await this.keep({ left: true });
  }

  /** Returns the names of the outputs that a new history still refers to. */
  outputsThatStay(): readonly string[] {
    return attemptsThatStay(this.current.queue).flatMap(({ output }) => output ?? []);
  }

  /**
   * Starts a new history with all that still applies, and leaves the old journal in `folder`. Returns false if
   * another process was faster. The old history stays current until the last step. Requires the lock.
   */
  async startOver(folder: string): Promise<boolean> {
    const { path: file, size } = this.journal;
    // The history is empty: there is nothing to start over.
    if (file === null || size === 0) return true;
    const kept = path.join(folder, path.basename(file));
    await fs.link(file, kept);
    await syncPath(folder);
    forgetHistory(this.current.queue);
    const isNew = await this.rollOver();
    if (!isNew) await fs.rm(kept, { force: true });
    return isNew;
  }

  /**
   * Discards the state, which may hold changes that are not on disk. The next `catchUp` reads the journal from its
   * beginning.
   */
  forget(): void {
    this.journal.rewind();
    this.isOwn = false;
    this.current = emptyFileState();
  }

  /** Removes drafts that a crash left. Requires the lock. */
  clearUp(): Promise<void> {
    return this.journal.clearUp();
  }

  /** Closes the journal's file until the next call. */
  close(): Promise<void> {
    return this.journal.close();
  }

  /** Discards what was read, so that the next call throws again. @throws Problem `state-damaged` */
  private refuseUnsound(): never {
    const { path: file } = this.journal;
    this.forget();
    throw damaged(t('{0} contains an entry that this program never writes.', file ?? this.paths.folder));
  }

  /** @throws Problem `state-foreign` */
  private async refuseForeign(): Promise<void> {
    const { header } = this.journal;
    this.isOwn = false;
    if (header === null) return;
    const origin = await this.options.known.judge(header);
    if (origin.kind === 'foreign') {
      this.forget();
      throw foreignHistory(this.paths.folder, origin.knownAs);
    }
    this.isOwn = true;
    this.isNamed = origin.isNamed;
  }

  /**
   * Whether the oldest attempt has been too old for a day: attempts are archived by the day, not one by one. Looks at
   * most once a day.
   */
  private findsTooOld(now: EpochMs, keptMs: number): boolean {
    if (now - this.lookedForOldAt < LOOK_FOR_OLD_MS) return false;
    this.lookedForOldAt = now;
    const [oldest] = this.current.queue.attempts;
    return oldest !== undefined && oldest.endedAt < now - keptMs - LOOK_FOR_OLD_MS;
  }

  private async compact(now: EpochMs, keptMs: number): Promise<void> {
    // Attempts in `leaving` must be archived before others follow.
    if (this.current.leaving.length > 0 || this.findOlderWorker() !== null) return;
    this.current.leavingBehind = await sizeArchived(this.paths);
    retire(this.current, now, keptMs);
    await this.rollOver();
  }

  /** Replaces the journal by a snapshot of the state. Returns false if another process was faster. */
  private rollOver(): Promise<boolean> {
    return this.unlessForgotten(() => this.journal.rollOver(composeSnapshot(this.current)));
  }

  /**
   * Publishes the next generation of a sealed journal. The process that sealed it may have died before that. The
   * entries are final, so any process can do it.
   */
  private async rollOverSealed(): Promise<void> {
    await this.catchUp();
    if (this.journal.isSealed) await this.rollOver();
  }

  /** Runs `write`, and discards the state if it did not write: the state holds changes that are not on disk. */
  private async unlessForgotten(write: () => Promise<boolean>): Promise<boolean> {
    let isWritten = false;
    try {
      isWritten = await write();
    } finally {
      if (!isWritten) this.forget();
    }
    return isWritten;
  }
}
