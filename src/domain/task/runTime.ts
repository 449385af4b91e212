import { BY_HAND, type Attempt, type EndNote } from './attempt';

/**
 * Returns how long Claude Code ran in an attempt, in ms. Null: its end is not known, or the user did the task by hand: that
 * time is not the program's.
 */
export function ranMs(attempt: Attempt): number | null {
  if (attempt.reason === BY_HAND || isEndUnknown(attempt)) return null;
  // Attempts that an earlier version recorded may end before they start, if the clock was set back meanwhile.
  return Math.max(0, attempt.endedAt - attempt.startedAt);
}

/**
 * Whether nobody knows when an attempt ended: its worker died or lost its lease, and `endedAt` is the time at which
 * that was found. It may have been cancelled before, or await review. If only Claude Code was killed, its worker saw that.
 */
export function isEndUnknown({ note }: Pick<Attempt, 'note'>): boolean {
  return note !== undefined && LOST_ENDS.includes(note.kind);
}

/** Ends that the attempt's worker did not record. */
const LOST_ENDS: readonly EndNote['kind'][] = ['owner-died', 'redis-away', 'history-lost'];

/** End of an attempt that reached its time limit. Its work takes longer than it ran; how long is not known. */
export const TIMED_OUT = { outcome: 'error', reason: 'timeout' } as const satisfies Pick<
  Attempt,
  'outcome' | 'reason'
>;

/** Whether an attempt reached its time limit. */
export function isTimedOut({ outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>): boolean {
  return outcome === TIMED_OUT.outcome && reason === TIMED_OUT.reason;
}

/** Returns the known running times of attempts, in ms. */
export function listRunTimes(attempts: readonly Attempt[]): readonly number[] {
  return attempts.flatMap((attempt) => ranMs(attempt) ?? []);
}
