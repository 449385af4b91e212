import type { DiffChain } from './diffChain';
import type { RunningAttempt } from './runningAttempt';

/** Connection of an attempt to the one after it. */
export interface AttemptLink {
  /** Returns whether to claim the next task in the same step as the end is recorded. */
  readonly reserveNext: () => boolean;
  readonly diffs: DiffChain;
  /** Stops the attempt when another task needs its room; absent: none does. */
  readonly running?: RunningAttempt;
}
