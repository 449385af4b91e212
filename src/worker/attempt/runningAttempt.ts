import { MADE_WAY, type Runner, type StopCause, type Verdict } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';

/** An attempt of this worker, which may be stopped so that another task can start. */
export class RunningAttempt {
  private readonly controller = new AbortController();
  private isOver = false;
  private next: TaskId | undefined;

  /** @param reserve reserves an attempt for the other task; returns false if the worker may start no more */
  constructor(
    /** Mark of its claim. */
    readonly mark: string,
    private readonly reserve: () => boolean,
  ) {}

  /** Task that it makes way for: it starts with the end of this attempt. Undefined: none. */
  get nextId(): TaskId | undefined {
    return this.next;
  }

  /** Whether Claude Code runs and is not being stopped for another task. A check is not stopped. */
  get isStoppable(): boolean {
    return !this.isOver && this.next === undefined;
  }

  /** Stops it, so that the other task starts in its place. Returns whether it is being stopped now. */
  makeWayFor(id: TaskId): boolean {
    if (!this.isStoppable || !this.reserve()) return false;
    this.next = id;
    this.controller.abort(MADE_WAY);
    return true;
  }

  /** Returns the runner with which this attempt can be stopped. */
  stoppable(runner: Pick<Runner, 'run'>): Pick<Runner, 'run'> {
    return {
      run: async (job, events, stop) => {
        try {
          const verdict = await runner.run(job, events, AbortSignal.any([stop, this.controller.signal]));
          return this.describe(verdict, stop);
        } finally {
          this.isOver = true;
        }
      },
    };
  }

  /** Adds the task that it made way for. An order of the user that came meanwhile outweighs that. */
  private describe(verdict: Verdict, { reason }: AbortSignal): Verdict {
    if (verdict.outcome !== 'cancelled' || verdict.reason !== MADE_WAY || this.next === undefined)
      return verdict;
    const cancelled = 'cancelled' satisfies StopCause;
    return reason === cancelled
      ? { ...verdict, reason: cancelled, note: { kind: cancelled } }
      : { ...verdict, note: { kind: MADE_WAY, for: this.next } };
  }
}
