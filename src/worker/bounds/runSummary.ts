import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { Reason } from '../../domain/reasons/reason';
import type { TaskId } from '../../domain/task/task';
import type { Idle } from '../../queue/taskQueue';
import type { Ended } from '../attempt/runEnd';

/** What a stretch of work came to. */
export interface RunSummary {
  readonly ran: number;
  /** Tasks whose last attempt in this stretch failed. */
  readonly failed: readonly TaskId[];
  /** Whether it ended because only limits or the budget were in the way. */
  readonly atLimit: boolean;
  /** The bound that was reached: it holds the queue now. */
  readonly bound?: ReachedBound;
  /** Why nothing more could be started, where it ended at that. */
  readonly idleReason?: Reason;
}

/** Adds up what a stretch of work comes to. */
export class RunCounters {
  bound: ReachedBound | null = null;
  private idleReason: Reason | null = null;
  private atLimit = false;
  private readonly failed = new Set<TaskId>();

  count(id: TaskId, { verdict, change }: Ended): void {
    this.atLimit = false;
    const { outcome } = verdict;
    const hasFailed =
      outcome === 'error' || outcome === 'permanent' || outcome === 'transient' || change.givenUp;
    if (hasFailed) this.failed.add(id);
    else this.failed.delete(id);
  }

  /** Nothing was ready. */
  rest({ atLimit }: Idle): void {
    this.atLimit = atLimit;
  }

  /** Nothing is left that comes by itself soon. */
  end({ why }: Idle): void {
    this.idleReason = why;
  }

  sum(ran: number): RunSummary {
    return {
      ran,
      failed: [...this.failed],
      atLimit: this.atLimit,
      ...(this.bound === null ? {} : { bound: this.bound }),
      ...(this.idleReason === null ? {} : { idleReason: this.idleReason }),
    };
  }
}
