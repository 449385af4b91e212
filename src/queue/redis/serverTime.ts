import type { EpochMs } from '../../domain/time/epoch';

/** Redis's time, as of its last answer plus what has passed since. Before the first answer: this machine's. */
export class ServerTime {
  /** Difference between Redis's time and this process's steady clock, in ms. */
  private offsetMs = performance.timeOrigin;

  set(now: unknown): void {
    this.offsetMs = Number(now) - performance.now();
  }

  now(): EpochMs {
    return Math.floor(performance.now() + this.offsetMs);
  }
}
