import type { Job, Runner, Verdict } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import type { AttemptPlan, UsedShares } from './pastAttempts';
import type { ReachedLimit, SimulatedUsage } from './simulatedUsage';

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
    const limit = this.usage.use(plan.used, plan.ms, startedAt);
    const ms = Math.min(Math.round(plan.ms * (limit?.done ?? 1)), job.timeoutMs);
    await this.clock.sleep(ms, stop);
    if (limit === null && !stop.aborted) {
      this.rests.delete(id);
      return this.conclude(plan);
    }
    this.rests.set(id, restOf(plan, this.clock.now() - startedAt));
    return limit === null || stop.aborted ? this.conclude(STOPPED) : this.stopAt(limit);
  };

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

const STOPPED = { outcome: 'cancelled', reason: 'stopped', costUsd: 0 } as const;

/** Returns the rest of a plan after this time. */
function restOf(plan: AttemptPlan, doneMs: number): AttemptPlan {
  const left = plan.ms === 0 ? 0 : Math.max(0, 1 - doneMs / plan.ms);
  const scale = (share: number | undefined): number | undefined =>
    share === undefined ? share : share * left;
  const [fiveHour, sevenDay] = [scale(plan.used.five_hour), scale(plan.used.seven_day)];
  const used: UsedShares = {
    ...(fiveHour === undefined ? {} : { five_hour: fiveHour }),
    ...(sevenDay === undefined ? {} : { seven_day: sevenDay }),
  };
  return { ...plan, ms: Math.round(plan.ms * left), used };
}
