import type { Job, Runner, Verdict } from '../../domain/task/attempt';
import { TIMED_OUT } from '../../domain/task/runTime';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import { scaleCost, scalePlan, type AttemptPlan } from './pastAttempts';
import type { ReachedLimit, SimulatedUsage } from './simulatedUsage';

/** Returns the course of the next attempt of a task. `ranMs`: for how long it runs already. */
export type PlanAttempt = (job: Job, at: EpochMs, ranMs: number) => AttemptPlan;

/** The process of every simulated attempt. */
export const SIMULATED_PROCESS = { pid: 0, startedAt: 'simulated' };

/**
 * Runs attempts by a plan. One that runs when the night starts has the first part of its plan behind it. One that a usage
 * limit or its time limit ends continues with the rest of its plan.
 */
export class SimulatedRunner implements Runner {
  private readonly rests = new Map<TaskId, AttemptPlan>();
  private readonly runningSince: Map<TaskId, EpochMs>;

  constructor(
    private readonly clock: Clock,
    private readonly usage: SimulatedUsage,
    private readonly plan: PlanAttempt,
    /** Starts of the attempts that run when the night starts. */
    runningSince: ReadonlyMap<TaskId, EpochMs> = new Map(),
  ) {
    this.runningSince = new Map(runningSince);
  }

  readonly run: Runner['run'] = async (job, events, stop) => {
    const { id } = job.definition;
    await events.started(SIMULATED_PROCESS);
    const now = this.clock.now();
    const startedAt = this.runningSince.get(id) ?? now;
    this.runningSince.delete(id);
    events.admitted(this.usage.at(now), undefined);
    // Without its session, the work starts anew.
    const rest = job.resume === undefined ? undefined : this.rests.get(id);
    const ranMs = now - startedAt;
    const plan = rest ?? this.plan(job, now, ranMs);
    const leftMs = Math.max(0, Math.min(plan.ms, job.timeoutMs) - ranMs);
    const limit = await this.use(plan, leftMs, stop);
    if (limit === null && !stop.aborted && plan.ms <= job.timeoutMs) {
      this.rests.delete(id);
      return this.conclude(plan);
    }
    const left = shareLeft(plan, this.clock.now() - startedAt);
    this.rests.set(id, scalePlan(plan, left));
    const costUsd = scaleCost(plan.costUsd, 1 - left);
    if (limit !== null) return this.stopAt(limit, costUsd);
    return this.conclude({ ...(stop.aborted ? stoppedBy(stop) : TIMED_OUT), costUsd });
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
    const cost = costUsd === null ? {} : { costUsd };
    return { outcome, reason, ...cost, message: '', denials: [], usage, exitCode: 0 };
  }

  private stopAt({ kind, resetAt }: ReachedLimit, costUsd: number | null): Verdict {
    const signal = { kind, resetAt, message: '' };
    return { ...this.conclude({ outcome: 'limit', reason: kind, costUsd }), signal };
  }
}

function stoppedBy(stop: AbortSignal): Pick<AttemptPlan, 'outcome' | 'reason'> {
  return { outcome: 'cancelled', reason: String(stop.reason) };
}

/** Returns the share of a plan that is left after this time. */
function shareLeft({ ms }: AttemptPlan, doneMs: number): number {
  return ms === 0 ? 0 : Math.max(0, 1 - doneMs / ms);
}
