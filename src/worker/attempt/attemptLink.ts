import type { DiffChain } from './diffChain';
import type { RunningAttempt } from './runningAttempt';

/** Connection of an attempt to the one after it. */
export interface AttemptLink {
  /** Reserves another attempt, if one may follow. Returns whether to claim it in the step that records this one's end. */
  readonly reserveNext: () => boolean;
  readonly diffs: DiffChain;
  /** Stops the attempt when another task needs its room; absent: none does. */
  readonly running?: RunningAttempt;
}
