import type { EpochMs } from '../../../domain/time/epoch';
import { systemClock } from '../../../platform/clock';
import type { CheckpointEnd } from './checkpoint';

/** How long the CSV may lag behind the journal. */
const FOLD_DELAY_MS = 40;

/** A fold costs as much as the file is large: it is not started again before N times what the last one took. */
const REST = 10;

/** Anyone who folded last folds next: it is back before those who yield to it (`Intake.othersCheckpointUntil`) start. */
const MOST_REST_MS = 2_000;

/** However long folds take, the CSV is not further behind. */
const MOST_DELAY_MS = 3_000;

/** How often is looked whether an editor still has unsaved changes. */
const BLOCKED_LOOK_MS = 500;

/** What could not be written, or looked at, is tried again after so long. */
const FAILED_LOOK_MS = 2_000;

/** As many times as the last fold is tried again when somebody else was faster. */
const CLOSING_TRIES = 5;

/** What a schedule needs to know of the folds that it starts. */
export interface Checkpoints {
  /** Tries one; `again` also where another process has just made one, unless it is the last. */
  carryOut(isLast: boolean): Promise<CheckpointEnd>;
  /** Not before it should another one start, no matter who made the last one. */
  restsUntil(): EpochMs;
  /** Whether one would be blocked. */
  isBlocked(): Promise<boolean>;
  /** One did not come to its end; what it was to write stays in the journal. Told once, until one does. */
  failed(error: unknown): void;
}

/** When the folds of a store are tried. */
export class CheckpointSchedule {
  private next: NodeJS.Timeout | null = null;
  private look: NodeJS.Timeout | null = null;
  /** Not before it is another one started. */
  private restsUntil: EpochMs = 0;
  /** The one that is under way: what is to be folded by then, it may have seen or not. */
  private underWay: Promise<void> | null = null;
  private hasFailed = false;

  constructor(private readonly folds: Checkpoints) {}

  /** Several calls make one fold. */
  soon(): void {
    if (this.next !== null) return;
    this.wait(systemClock.now() + MOST_DELAY_MS);
  }

  /** Once no editor has unsaved changes any more. No process is kept alive by that: the journal has it all. */
  whenUnblocked(): void {
    this.lookIn(BLOCKED_LOOK_MS);
  }

  /**
   * Tries what is still to be folded; what is blocked or cannot be written now stays in the journal.
   * @param idle resolves when nothing is under way that may have to be folded
   */
  async finish(idle: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < CLOSING_TRIES; tries += 1) {
      await idle();
      await this.underWay;
      if (!this.cancel()) return;
      await (this.underWay = this.attempt(true));
      if (this.look !== null) break;
    }
    if (this.look !== null) this.cancel();
  }

  /** Others may have folded by the time that it is started: then it waits again, but not for ever. */
  private wait(latest: EpochMs): void {
    const now = systemClock.now();
    const rest = this.restEnds() - now;
    const delay = Math.min(Math.max(FOLD_DELAY_MS, rest), Math.max(0, latest - now));
    this.next = setTimeout(() => {
      this.next = null;
      const isEarly = this.restEnds() > systemClock.now() && latest > systemClock.now();
      if (this.underWay !== null) this.soon();
      else if (isEarly) this.wait(latest);
      else this.underWay = this.attempt(false);
    }, delay);
  }

  private async attempt(isLast: boolean): Promise<void> {
    const begun = systemClock.now();
    try {
      const end = await this.folds.carryOut(isLast);
      const ended = systemClock.now();
      this.hasFailed = false;
      this.restsUntil = ended + Math.min(REST * (ended - begun), MOST_REST_MS);
      if (end === 'again') this.soon();
      if (end === 'blocked') this.whenUnblocked();
    } catch (error) {
      this.tryLater(error);
    } finally {
      this.underWay = null;
    }
  }

  private tryLater(error: unknown): void {
    if (!this.hasFailed) this.folds.failed(error);
    this.hasFailed = true;
    this.lookIn(FAILED_LOOK_MS);
  }

  private lookIn(delay: number): void {
    if (this.look !== null) return;
    this.look = setTimeout(() => void this.lookAgain(), delay).unref();
  }

  private restEnds(): EpochMs {
    return Math.max(this.restsUntil, this.folds.restsUntil());
  }

  private async lookAgain(): Promise<void> {
    this.look = null;
    try {
      if (await this.folds.isBlocked()) this.whenUnblocked();
      else this.soon();
    } catch (error) {
      this.tryLater(error);
    }
  }

  /** Whether anything was to be tried. */
  private cancel(): boolean {
    const wasDue = this.next !== null || this.look !== null;
    if (this.next !== null) clearTimeout(this.next);
    if (this.look !== null) clearTimeout(this.look);
    this.next = null;
    this.look = null;
    return wasDue;
  }
}
