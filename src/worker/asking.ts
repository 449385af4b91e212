import { ASKS_EVERY_MS } from '../domain/queue/asking';
import type { EpochMs } from '../domain/time/epoch';

/** Time for which a worker has asked for tasks without a pause. It pauses while its machine sleeps or the queue is away. */
export class Asking {
  private answers: { readonly first: EpochMs; readonly last: EpochMs } | null = null;

  /** Returns since when it has asked without a pause; undefined: it pauses. */
  since(now: EpochMs): EpochMs | undefined {
    if (this.answers === null) return undefined;
    const pausedMs = now - this.answers.last;
    return pausedMs >= 0 && pausedMs <= ASKS_EVERY_MS ? this.answers.first : undefined;
  }

  noteAnswer(now: EpochMs): void {
    this.answers = { first: this.since(now) ?? now, last: now };
  }
}
