import { WINDOWS } from '../../domain/gate/usageWindows';
import type { WindowUsage } from '../../domain/gate/gate';
import type { Attempt, Outcome } from '../../domain/task/attempt';
import { isTimedOut, ranMs } from '../../domain/task/runTime';
import { BY_SCRIPTS } from '../../domain/task/scriptsHistory';
import type { TaskId } from '../../domain/task/task';
import { mapShares, type UsedShares } from './usedShares';

/** Course of a simulated attempt. */
export interface AttemptPlan {
  readonly ms: number;
  readonly outcome: Outcome;
  readonly reason: string;
  /** Null: the attempt reports none. */
  readonly costUsd: number | null;
  readonly used: UsedShares;
}

/** Returns a plan of this share of the work. */
export function scalePlan(plan: AttemptPlan, share: number): AttemptPlan {
  return {
    ...plan,
    ms: Math.round(plan.ms * share),
    costUsd: scaleCost(plan.costUsd, share),
    used: mapShares(plan.used, (used) => used * share),
  };
}

/** Returns this share of a cost. */
export function scaleCost(costUsd: number | null, share: number): number | null {
  return costUsd === null ? null : costUsd * share;
}

/** A task for which an attempt is drawn. */
export interface DrawnTask {
  readonly id: TaskId;
  readonly power: string;
  /** Time limit of the attempt. */
  readonly timeoutMs: number;
  /** Time for which the attempt runs already; absent: it starts now. */
  readonly ranMs?: number;
}

/** Fewest attempts from which durations are drawn. Fewer say too little about a time. */
export const LEAST_ATTEMPTS = 10;

/** Plan without a history: ten minutes, if its time limit allows. Its times are not shown. */
const DEFAULT_PLAN: AttemptPlan = {
  ms: 10 * 60_000,
  outcome: 'success',
  reason: 'done',
  costUsd: 0,
  used: {},
};

/** Ends that say how long the work of a task takes. Limits are simulated. */
const TELLING: readonly Outcome[] = ['success', 'review', 'error', 'transient', 'permanent'];

/** Attempts of a queue, from which the ones to come are drawn. */
export class PastAttempts {
  private readonly all: readonly AttemptPlan[];
  private readonly ofKnownUsage: readonly AttemptPlan[];
  private readonly byTask = new Map<string, AttemptPlan[]>();

  constructor(attempts: readonly Attempt[]) {
    const shares = findUsedShares(attempts);
    const telling = attempts.filter(
      ({ outcome, reason }) => TELLING.includes(outcome) && reason !== BY_SCRIPTS,
    );
    this.all = telling.flatMap((attempt) => {
      const { outcome, reason, costUsd = null } = attempt;
      const ms = ranMs(attempt);
      if (ms === null) return [];
      const plan = { ms, outcome, reason, costUsd, used: shares.get(attempt) ?? {} };
      const key = keyOf(attempt.id, attempt.power);
      const own = this.byTask.get(key);
      if (own === undefined) this.byTask.set(key, [plan]);
      else own.push(plan);
      return plan;
    });
    this.ofKnownUsage = this.all.filter(({ used }) => used.five_hour !== undefined);
  }

  /** Whether there are enough attempts to show times. */
  get isEnough(): boolean {
    return this.all.length >= LEAST_ATTEMPTS;
  }

  /** Whether an attempt reported what it used of a usage window. */
  get knowsUsage(): boolean {
    return this.ofKnownUsage.length > 0;
  }

  /**
   * Returns a past attempt of this task, or of any if it has too few; the default if there are too few of any. One that
   * timed out reaches the time limit again, unless that is longer now and others took longer. For an attempt that runs
   * already, only those count that took at least as long; if none did, the whole time of a drawn one is still to come.
   * `random` is at least 0 and less than 1.
   */
  draw({ id, power, timeoutMs, ranMs = 0 }: DrawnTask, random: () => number): AttemptPlan {
    const own = this.byTask.get(keyOf(id, power)) ?? [];
    const usual = own.length >= LEAST_ATTEMPTS ? own : this.all;
    const longer = ranMs === 0 ? usual : this.findLonger(usual, ranMs);
    const known = longer.length === 0 ? usual : longer;
    const drawn = drawFrom(known, random());
    if (!this.isEnough || drawn === undefined)
      return { ...DEFAULT_PLAN, ms: Math.min(DEFAULT_PLAN.ms, timeoutMs) };
    const plan = drawLonger(drawn, known, timeoutMs, random);
    const ms = longer.length === 0 ? plan.ms + ranMs : plan.ms;
    return { ...plan, ms, used: { ...this.drawUsed(random()), ...plan.used } };
  }

  /** Returns those that took at least this long, or else those of all. */
  private findLonger(usual: readonly AttemptPlan[], ranMs: number): readonly AttemptPlan[] {
    const own = usual.filter(({ ms }) => ms >= ranMs);
    return own.length > 0 ? own : this.all.filter(({ ms }) => ms >= ranMs);
  }

  /** Returns the shares of an attempt that reported them, for one that did not. */
  private drawUsed(random: number): UsedShares {
    return drawFrom(this.ofKnownUsage, random)?.used ?? {};
  }
}

const keyOf = (id: TaskId, power: string): string => `${String(id)}:${power}`;

const drawFrom = <T>(values: readonly T[], random: number): T | undefined =>
  values[Math.floor(random * values.length)];

/**
 * Returns an attempt for one whose work took longer than its time limit allowed. Counting that limit as the time of its
 * work would make forecasts too early.
 */
function drawLonger(
  drawn: AttemptPlan,
  known: readonly AttemptPlan[],
  timeoutMs: number,
  random: () => number,
): AttemptPlan {
  if (!isTimedOut(drawn)) return drawn;
  const longer = drawn.ms < timeoutMs ? known.filter(({ ms }) => ms > drawn.ms) : [];
  const other = drawFrom(longer, random());
  return other === undefined
    ? scalePlan(drawn, timeoutMs / Math.max(drawn.ms, 1))
    : drawLonger(other, longer, timeoutMs, random);
}

/** Tolerance for reports of the same reset. */
const SAME_RESET_MS = 60_000;

/** Returns the share that each attempt added to the account's usage windows: its report less the one before it in that window. */
function findUsedShares(attempts: readonly Attempt[]): ReadonlyMap<Attempt, UsedShares> {
  const shares = new Map<Attempt, Partial<Record<WindowUsage['window'], number>>>();
  const sorted = [...attempts].sort((one, other) => one.endedAt - other.endedAt);
  for (const window of WINDOWS) {
    let last: WindowUsage | undefined;
    for (const attempt of sorted) {
      const report = attempt.usage?.find((one) => one.window === window);
      if (report === undefined) continue;
      if (last !== undefined && Math.abs(last.resetAt - report.resetAt) <= SAME_RESET_MS) {
        const used = Math.max(0, report.utilization - last.utilization);
        shares.set(attempt, { ...shares.get(attempt), [window]: used });
      }
      last = report;
    }
  }
  return shares;
}
