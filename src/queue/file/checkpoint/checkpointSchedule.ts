import type { EpochMs } from '../../../domain/time/epoch';
import { systemClock } from '../../../platform/clock';
import type { CheckpointEnd } from './checkpoint';

/** Delay between a change and its checkpoint, in ms, if no rest is due. */
const CHECKPOINT_DELAY_MS = 40;

/** Rest after a checkpoint, as a multiple of its duration, which grows with the file. */
const REST = 10;

/**
 * Longest rest, in ms. It ends before the longest wait of the other processes
 * (`Reconciler.leftToLastWriterUntil`), so that the process that wrote the last checkpoint also writes the next one.
 */
const MOST_REST_MS = 2_000;

/** Longest delay between a change and its checkpoint, in ms, however long checkpoints take. */
const MOST_DELAY_MS = 3_000;

/** Interval between looks for unsaved changes in editors, in ms. */
const BLOCKED_LOOK_MS = 500;

/** Delay before a failed checkpoint or look is retried, in ms. */
const FAILED_LOOK_MS = 2_000;

/** Most tries of the last checkpoint while other processes are faster. */
const CLOSING_TRIES = 5;

/** Checkpoints as a schedule starts them. */
export interface Checkpoints {
  /** Tries a checkpoint. Returns `again` also if another process has just written one, unless this is the last. */
  carryOut(isLast: boolean): Promise<CheckpointEnd>;
  /** Returns the earliest time of the next checkpoint by any process. */
  nextCheckpointAt(): EpochMs;
  /** Returns whether a checkpoint would be blocked. */
  isBlocked(): Promise<boolean>;
  /** Reports a failed checkpoint; the journal keeps what it was to write. Called once until one succeeds. */
  failed(error: unknown): void;
}

/** Schedules the checkpoints of a store. */
export class CheckpointSchedule {
  private next: NodeJS.Timeout | null = null;
  private look: NodeJS.Timeout | null = null;
  /** Earliest time of the next checkpoint. */
  private restsUntil: EpochMs = 0;
  /** Checkpoint in progress. It may or may not include changes made meanwhile. */
  private underWay: Promise<void> | null = null;
  /** Look for unsaved changes in progress, after which a checkpoint may be due. */
  private looking: Promise<void> | null = null;
  private hasFailed = false;

  constructor(private readonly checkpoints: Checkpoints) {}

  /** Schedules a checkpoint. Several calls make one. */
  soon(): void {
    if (this.next !== null) return;
    this.wait(systemClock.now() + MOST_DELAY_MS);
  }

  /**
   * Schedules a checkpoint for when no editor has unsaved changes. Keeps no process alive: the journal has
   * everything.
   */
  whenUnblocked(): void {
    this.lookIn(BLOCKED_LOOK_MS);
  }

  /**
   * Tries checkpoints that are still due. What is blocked or cannot be written now stays in the journal.
   * @param idle resolves when no call is running that may need a checkpoint
   */
  async finish(idle: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < CLOSING_TRIES; tries += 1) {
      await idle();
      await this.looking;
      await this.underWay;
      if (!this.cancel()) return;
      await (this.underWay = this.attempt(true));
      if (this.look !== null) break;
    }
    if (this.look !== null) this.cancel();
  }

  /**
   * Starts the checkpoint after its rest. If another process wrote one meanwhile, waits again, at most until
   * `latest`.
   */
  private wait(latest: EpochMs): void {
    const now = systemClock.now();
    const rest = this.restEnds() - now;
    const delay = Math.min(Math.max(CHECKPOINT_DELAY_MS, rest), Math.max(0, latest - now));
    this.next = setTimeout(() => {
      this.next = null;
      const isEarly = this.restEnds() > systemClock.now() && latest > systemClock.now();
      if (this.underWay !== null) this.soon();
      else if (isEarly) this.wait(latest);
      else this.underWay = this.attempt(false);
    }, delay);
  }

  private async attempt(isLast: boolean): Promise<void> {
    const startedAt = systemClock.now();
    try {
      const end = await this.checkpoints.carryOut(isLast);
      const ended = systemClock.now();
      this.hasFailed = false;
      this.restsUntil = ended + Math.min(REST * (ended - startedAt), MOST_REST_MS);
      if (end === 'again') this.soon();
      if (end === 'blocked') this.whenUnblocked();
    } catch (error) {
      this.tryLater(error);
    } finally {
      this.underWay = null;
    }
  }

  private tryLater(error: unknown): void {
    if (!this.hasFailed) this.checkpoints.failed(error);
    this.hasFailed = true;
    this.lookIn(FAILED_LOOK_MS);
  }

  private lookIn(delay: number): void {
    if (this.look !== null) return;
    this.look = setTimeout(() => {
      this.look = null;
      this.looking = this.lookAgain();
    }, delay).unref();
  }

  private restEnds(): EpochMs {
    return Math.max(this.restsUntil, this.checkpoints.nextCheckpointAt());
  }

  private async lookAgain(): Promise<void> {
    try {
      if (await this.checkpoints.isBlocked()) this.whenUnblocked();
      else this.soon();
    } catch (error) {
      this.tryLater(error);
    }
  }

  /** Cancels all timers. Returns whether any was set. */
  private cancel(): boolean {
    const wasDue = this.next !== null || this.look !== null;
    if (this.next !== null) clearTimeout(this.next);
    if (this.look !== null) clearTimeout(this.look);
    this.next = null;
    this.look = null;
    return wasDue;
  }
}
