import type { Attempt, Outcome } from '../../domain/task/attempt';

const WORDS: Record<Outcome, string> = {
  success: 'succeeded',
  review: 'ended and wants your eye',
  error: 'failed',
  transient: 'failed for a passing reason',
  limit: 'met a usage limit',
  blocked: 'was blocked',
  permanent: 'failed for good',
  cancelled: 'was cancelled',
  lost: 'was lost',
};

/** How an attempt ended, as what follows the task's name in a sentence. */
export function describeOutcome({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): string {
  // Stopped with its worker, it goes on later: nobody has cancelled it.
  return outcome === 'cancelled' && reason === 'stopped' ? 'was stopped' : WORDS[outcome];
}
