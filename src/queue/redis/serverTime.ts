import type { EpochMs } from '../../domain/time/epoch';

/** Redis's time, as of its last answer plus what has passed since. Before the first answer: this machine's. */
export class ServerTime {
  /** What is to be added to this process's steady time. */
  private offsetMs = performance.timeOrigin;

  set(now: unknown): void {
    this.offsetMs = Number(now) - performance.now();
  }

  now(): EpochMs {
    return Math.floor(performance.now() + this.offsetMs);
  }
}
