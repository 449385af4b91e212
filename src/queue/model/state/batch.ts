import type { Attempt } from '../../../domain/task/attempt';
import type { EpochMs } from '../../../domain/time/epoch';
import type { QueueState } from './queueState';

/** Opens a batch: attempts that end from now on count for the next `all-done` notice. */
export function openBatch(state: QueueState, at: EpochMs): void {
  state.batchSince = at;
  state.batchEnds = 0;
}

/** Closes the batch: it was summed up, or nothing has ended in it. */
export function closeBatch(state: QueueState): void {
  state.batchSince = null;
  state.batchEnds = null;
}

/** Returns the attempts that have ended in the batch, in the order in which that was recorded; none if no batch is open. */
export function attemptsOfBatch({ attempts, batchSince, batchEnds }: QueueState): readonly Attempt[] {
  if (batchSince === null) return [];
  if (batchEnds === null) return attempts.filter(({ endedAt }) => endedAt >= batchSince);
  return attempts.slice(Math.max(0, attempts.length - batchEnds));
}

/** Keeps the attempts of a state for which `isKept` is true, and removes the others. */
export function keepAttempts(state: QueueState, isKept: (attempt: Attempt) => boolean): void {
  const { attempts } = state;
  if (state.batchEnds !== null) state.batchEnds = attemptsOfBatch(state).filter(isKept).length;
  const kept = attempts.filter(isKept);
  attempts.length = 0;
  for (const attempt of kept) attempts.push(attempt);
}
