import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { Reason } from '../../domain/reasons/reason';
import type { TaskId } from '../../domain/task/task';
import type { Idle } from '../../queue/taskQueue';
import type { Ended } from '../attempt/attemptEnd';
import type { Meter } from './bounds';

/** Summary of one worker run. */
export interface RunSummary {
  readonly ran: number;
  /** Number of attempts that the limit of costs could not count; absent: none, or there is no such limit. */
  readonly uncounted?: number;
  /** Tasks whose last attempt in this run failed. */
  readonly failed: readonly TaskId[];
  /** Whether a usage limit, the budget or a blocked account was in the way at its end. */
  readonly atLimit: boolean;
  /** Limit that was reached. It pauses the queue now. */
  readonly bound?: ReachedBound;
  /** Reason why no more tasks could start, if the run ended for that. */
  readonly idleReason?: Reason;
}

/** Adds up the summary of one worker run. */
export class RunCounters {
  bound: ReachedBound | null = null;
  private idleReason: Reason | null = null;
  private atLimit = false;
  private readonly failed = new Set<TaskId>();

  /** Notes that an attempt starts, which the limits allow. */
  start(): void {
    this.atLimit = false;
  }

  count(id: TaskId, { verdict, change }: Ended): void {
    const { outcome } = verdict;
    if (outcome === 'limit' || outcome === 'blocked') this.atLimit = true;
    // A transient error is no failure of the task: it is tried again.
    const hasFailed = outcome === 'error' || outcome === 'permanent' || change.givenUp;
    if (hasFailed) this.failed.add(id);
    else this.failed.delete(id);
  }

  /** Notes that no task was ready. */
  rest({ atLimit }: Idle): void {
    this.atLimit = atLimit;
  }

  /** Notes why the run ends: no task will start by itself soon. */
  end({ why }: Idle): void {
    this.idleReason = why;
  }

  sum({ ran, uncounted }: Pick<Meter, 'ran' | 'uncounted'>): RunSummary {
    return {
      ran,
      failed: [...this.failed],
      atLimit: this.atLimit,
      ...(uncounted === 0 ? {} : { uncounted }),
      ...(this.bound === null ? {} : { bound: this.bound }),
      ...(this.idleReason === null ? {} : { idleReason: this.idleReason }),
    };
  }
}
