import type { ReachedBound } from '../queue/reachedBound';
import type { EpochMs } from './epoch';

/** Reasons why due times of a repeating task got no run of their own. */
export const SKIP_CAUSES = [
  /** The setting missedRuns leaves out what was missed. */
  'skipped',
  /** The run of an earlier time made up for them. */
  'merged',
  /** Catch-up runs, right after the run of the earlier time, made up for them. */
  'caught-up',
  /** The run of an earlier time had not ended. */
  'busy',
  /** The task was cancelled, or marked as ended, without a run. */
  'ended',
  /** Nothing had changed since the last success of the task, whose row asks to skip it then. */
  'unchanged',
] as const;
export type SkipCause = (typeof SKIP_CAUSES)[number];

/** Due times, one after another, that were skipped for the same cause. */
export interface SkippedTimes {
  readonly why: SkipCause;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly count: number;
  /** Text of the pause of the queue, or of the task's priority, at these times; absent: there was none. */
  readonly pause?: string;
  /** The bound by which it was paused. */
  readonly bound?: ReachedBound;
}

/** Facts about an occurrence that a claim keeps, and the attempt after it. */
export interface OccurrenceFacts {
  /** Its due time; absent for a task without due times, and for a catch-up run. */
  readonly dueAt?: EpochMs;
  /** It is a catch-up run for a missed time. */
  readonly catchUp?: true;
  /** Due times before it that got no run of their own. */
  readonly skipped?: readonly SkippedTimes[];
  /** Interval of the row then; absent: the row did not repeat, or an earlier version recorded it. */
  readonly interval?: string;
}

/** Maximum number of times of a cron expression that are counted, one by one. */
export const MOST_COUNTED = 1000;
