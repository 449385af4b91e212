import type { Job, Runner, Verdict } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import type { AttemptPlan } from './pastAttempts';
import { mapShares, type ReachedLimit, type SimulatedUsage } from './simulatedUsage';

/** Returns the course of the next attempt of a task. */
export type PlanAttempt = (job: Job, at: EpochMs) => AttemptPlan;

/** The process of every simulated attempt. */
export const SIMULATED_PROCESS = { pid: 0, startedAt: 'simulated' };

/** Runs attempts by a plan. One that reaches a usage limit continues with the rest of its plan. */
export class SimulatedRunner implements Runner {
  private readonly rests = new Map<TaskId, AttemptPlan>();

  constructor(
    private readonly clock: Clock,
    private readonly usage: SimulatedUsage,
    private readonly plan: PlanAttempt,
  ) {}

  readonly run: Runner['run'] = async (job, events, stop) => {
    const { id } = job.definition;
    await events.started(SIMULATED_PROCESS);
    const startedAt = this.clock.now();
    events.admitted(this.usage.at(startedAt), undefined);
    const plan = this.rests.get(id) ?? this.plan(job, startedAt);
    const limit = await this.use(plan, Math.min(plan.ms, job.timeoutMs), stop);
    if (limit === null && !stop.aborted) {
      this.rests.delete(id);
      return this.conclude(plan);
    }
    this.rests.set(id, restOf(plan, this.clock.now() - startedAt));
    return limit === null ? this.conclude(stoppedBy(stop)) : this.stopAt(limit);
  };

  /** Uses the windows for this time, in ms. Returns the limit that ends it earlier; null: none. */
  private async use(plan: AttemptPlan, ms: number, stop: AbortSignal): Promise<ReachedLimit | null> {
    const { clock, usage } = this;
    const end = clock.now() + ms;
    let wake = new AbortController();
    const changed = (): void => {
      wake.abort();
    };
    stop.addEventListener('abort', changed);
    const share = usage.start(plan.used, plan.ms, clock.now(), changed);
    try {
      for (;;) {
        const now = clock.now();
        if (now >= end && ms > 0) return null;
        const limit = usage.limitOf(share, now);
        if (limit !== null || now >= end || stop.aborted) return limit;
        wake = new AbortController();
        await clock.sleep(Math.min(end, usage.nextChange(now)) - now, wake.signal);
      }
    } finally {
      stop.removeEventListener('abort', changed);
      usage.end(share, clock.now());
    }
  }

  tracesOf(): Promise<Record<string, never>> {
    return Promise.resolve({});
  }

  private conclude({
    outcome,
    reason,
    costUsd,
  }: Pick<AttemptPlan, 'outcome' | 'reason' | 'costUsd'>): Verdict {
    const usage = this.usage.at(this.clock.now());
    return { outcome, reason, costUsd, message: '', denials: [], usage, exitCode: 0 };
  }

  private stopAt({ kind, resetAt }: ReachedLimit): Verdict {
    const signal = { kind, resetAt, message: '' };
    return { ...this.conclude({ outcome: 'limit', reason: kind, costUsd: 0 }), signal };
  }
}

function stoppedBy(stop: AbortSignal): Pick<AttemptPlan, 'outcome' | 'reason' | 'costUsd'> {
  return { outcome: 'cancelled', reason: String(stop.reason), costUsd: 0 };
}

/** Returns the rest of a plan after this time. */
function restOf(plan: AttemptPlan, doneMs: number): AttemptPlan {
  const left = plan.ms === 0 ? 0 : Math.max(0, 1 - doneMs / plan.ms);
  const used = mapShares(plan.used, (share) => share * left);
  return { ...plan, ms: Math.round(plan.ms * left), used };
}
