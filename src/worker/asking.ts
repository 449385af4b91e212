import { ASKS_EVERY_MS } from '../domain/queue/asking';
import type { EpochMs } from '../domain/time/epoch';
import { Fenced } from '../domain/problem';
import type { OpId } from '../queue/taskQueue';

/** Time for which a worker has asked for tasks without a pause. It pauses while its machine sleeps or the queue is away. */
export class Asking {
  private answers: { readonly first: EpochMs; readonly last: EpochMs } | null = null;

  /** Name of a claim whose answer is missing: it may have been made. */
  private unanswered: OpId | null = null;

  /**
   * Asks for a claim, by the name of the last one if that was not answered: the queue then returns the claim that it made.
   */
  async ask<T>(createId: () => OpId, claim: (op: OpId) => Promise<T>): Promise<T> {
    const op = this.unanswered ?? createId();
    this.unanswered = op;
    try {
      const answer = await claim(op);
      this.unanswered = null;
      return answer;
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      // Another owner has ended the claim since.
      this.unanswered = null;
      return this.ask(createId, claim);
    }
  }

  /** Whether a claim may have been made that the worker does not know of. */
  get isUnanswered(): boolean {
    return this.unanswered !== null;
  }

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
