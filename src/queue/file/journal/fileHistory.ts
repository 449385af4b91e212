import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { syncFolder } from '../../../platform/files/files';
import type { ProcessOwner } from '../../../domain/queue/view';
import { findLivingOwner } from '../../model/registration';
import { attemptsThatStay, forgetHistory } from '../../model/history';
import type { StatePaths } from '../../queuePaths';
import type { Machine } from '../../taskQueue';
import { isSoundEntry } from './entryShape';
import { applyEntry, applyRest, emptyFileState, type Entry, type FileState } from '../fileState';
import { Journal } from './journal';
import { damaged, STATE_VERSION } from './journalLine';
import { foreignHistory, type KnownHistory } from './knownHistory';
import { putAttemptsAway, retire, sizePutAway } from './retention';
import { composeSnapshot } from './snapshot';

/** A smaller journal is read in no time: replacing it would only cost. */
const LARGE_BYTES = 1024 * 1024;

/** A journal is replaced when it has grown to N times its snapshot: each byte is then written once more at most. */
const GROWTH = 4;

/** A small journal is replaced all the same for what is too old to be kept, but looked through for it only so often. */
const LOOK_FOR_OLD_MS = 24 * 3_600_000;

/** What a history needs besides its journal. */
export interface HistoryOptions {
  readonly known: KnownHistory;
  readonly machine: Machine;
  /** A journal that is not larger is left as it is. */
  readonly largeBytes?: number;
}

/** The state of a queue file as its journal tells it, kept up as others append. */
export class FileHistory {
  private current: FileState = emptyFileState();
  private readonly journal: Journal<Entry>;
  private lookedForOldAt: EpochMs = -Infinity;
  /** Whether the journal that was read is known to be this user's own. */
  private isOwn = false;
  /** Whether it is on record that a journal names this history. */
  private isNamed = false;
  private readonly largeBytes: number;

  constructor(
    private readonly paths: StatePaths,
    private readonly options: HistoryOptions,
  ) {
    this.largeBytes = options.largeBytes ?? LARGE_BYTES;
    this.journal = new Journal(paths.of('journal'), () => options.known.name(!this.isEarlierFormat));
  }

  get state(): FileState {
    return this.current;
  }

  /** Bytes of the journal that have been read or written. */
  get size(): number {
    return this.journal.size;
  }

  /** Whether the journal has been replaced, and must be read from the start; good enough to plan by. */
  isReplaced(): boolean {
    return this.journal.isReplaced;
  }

  /** Whether the journal in force was written by an earlier version of this program. */
  private get isEarlierFormat(): boolean {
    return (this.journal.header?.version ?? STATE_VERSION) < STATE_VERSION;
  }

  /**
   * Reads what others have appended; whether there was anything.
   * @throws Problem `state-newer`, `state-damaged`, `state-foreign`
   */
  async catchUp(): Promise<boolean> {
    const { restarted, entries } = await this.journal.read();
    if (restarted || !this.isOwn) await this.refuseForeign();
    if (!entries.every(isSoundEntry)) this.refuseUnsound();
    // A snapshot tells of everything: anyone who knows the state from before must see that it is another one.
    if (restarted || entries[0]?.snapshot !== undefined) this.current = emptyFileState();
    for (const entry of entries) applyEntry(this.current, entry);
    return restarted || entries.length > 0;
  }

  /**
   * Puts an entry, whose events have happened to the state already, on the disk; false when another was faster. Only
   * under the lock.
   */
  async keep(entry: Entry): Promise<boolean> {
    const kept = await this.unlessForgotten(() => this.journal.append(entry));
    if (kept) applyRest(this.current, entry);
    else await this.rollOverSealed();
    return kept;
  }

  /**
   * Replaces a journal of an earlier format by one of this format, unless a worker of that version still runs; and puts
   * on record that a journal names this history. False: another was faster. Only under the lock.
   */
  async takeOver(): Promise<boolean> {
    if (this.journal.header === null || this.findOlderWorker() !== null) return true;
    if (this.isEarlierFormat && !(await this.rollOver())) return false;
    if (!this.isNamed) await this.options.known.name(true);
    this.isNamed = true;
    return true;
  }

  /** Replaces the journal by one that names this user's own history. False: another was faster. Only under the lock. */
  async makeOwn(): Promise<boolean> {
    if (!(await this.rollOver())) return false;
    await this.options.known.name(true);
    this.isNamed = true;
    return true;
  }

  /** The lock on its steps: that of the version whose worker runs. */
  get lock(): string {
    return this.paths.of(this.findOlderWorker() === null ? 'lock' : 'earlierLock');
  }

  /** A running worker of an earlier version, which knows neither this format nor what is recorded in it; or null. */
  findOlderWorker(): ProcessOwner | null {
    return this.isEarlierFormat ? findLivingOwner(this.current.queue, this.options.machine) : null;
  }

  /**
   * Replaces a journal that has grown large, or tells of what is older than `keptMs`, by what it adds up to without that.
   * Only under the lock.
   */
  async compactIfDue(now: EpochMs, keptMs: number): Promise<void> {
    const { size, openingSize } = this.journal;
    const isLarge = size > this.largeBytes && size > GROWTH * openingSize;
    if (isLarge || this.findsTooOld(now, keptMs)) await this.compact(now, keptMs);
    if (this.current.leaving.length === 0) return;
    await putAttemptsAway(this.paths, this.current);
    await this.keep({ left: true });
  }

  /** Names of the outputs that are told of when a new history has started. */
  outputsThatStay(): readonly string[] {
    return attemptsThatStay(this.current.queue).flatMap(({ output }) => output ?? []);
  }

  /**
   * Starts a new history with all that still governs and leaves the old one in `folder`; false when another was faster.
   * Only under the lock. Up to the last step the old history is in force.
   */
  async startOver(folder: string): Promise<boolean> {
    const { path: file, size } = this.journal;
    // Nothing has happened yet, so that there is nothing to start over.
    if (file === null || size === 0) return true;
    const kept = path.join(folder, path.basename(file));
    await fs.link(file, kept);
    await syncFolder(folder);
    forgetHistory(this.current.queue);
    const isNew = await this.rollOver();
    if (!isNew) await fs.rm(kept, { force: true });
    return isNew;
  }

  /** Takes back what happened to the state and did not reach the disk: the next `catchUp` starts from the start. */
  forget(): void {
    this.journal.rewind();
    this.isOwn = false;
    this.current = emptyFileState();
  }

  /** Takes away what a crash left. Only under the lock. */
  clearUp(): Promise<void> {
    return this.journal.clearUp();
  }

  /** Lets go of the journal's file until the next call. */
  close(): Promise<void> {
    return this.journal.close();
  }

  /** What was read is forgotten: anyone who asks again is told again. */
  private refuseUnsound(): never {
    const { path: file } = this.journal;
    this.forget();
    throw damaged(file ?? this.paths.folder, 'contains an entry that this program never writes');
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

  /** Whether the oldest attempt has been too old for a day: attempts leave by the day, not one by one. */
  private findsTooOld(now: EpochMs, keptMs: number): boolean {
    if (now - this.lookedForOldAt < LOOK_FOR_OLD_MS) return false;
    this.lookedForOldAt = now;
    const [oldest] = this.current.queue.attempts;
    return oldest !== undefined && oldest.endedAt < now - keptMs - LOOK_FOR_OLD_MS;
  }

  private async compact(now: EpochMs, keptMs: number): Promise<void> {
    // What leaves must have arrived before anything else may leave behind it.
    if (this.current.leaving.length > 0 || this.findOlderWorker() !== null) return;
    this.current.leavingBehind = await sizePutAway(this.paths);
    retire(this.current, now, keptMs);
    await this.rollOver();
  }

  /** Replaces the journal by what it adds up to; false when another was faster. */
  private rollOver(): Promise<boolean> {
    return this.unlessForgotten(() => this.journal.rollOver(composeSnapshot(this.current)));
  }

  /** Anyone who sealed the journal may have died before the next one was in force. What it holds is settled: anybody makes it. */
  private async rollOverSealed(): Promise<void> {
    await this.catchUp();
    if (this.journal.isSealed) await this.rollOver();
  }

  /** What has happened to the state and not to the disk is forgotten. */
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
