import { WINDOWS } from '../../domain/gate/usageWindows';
import type { WindowUsage } from '../../domain/gate/gate';
import type { Attempt, Outcome } from '../../domain/task/attempt';
import { ranMs } from '../../domain/task/runTime';
import { BY_SCRIPTS } from '../../domain/task/scriptsHistory';
import type { TaskId } from '../../domain/task/task';

/** Share of each usage window that an attempt used, 0 to 1; absent: unknown. */
export type UsedShares = Readonly<Partial<Record<WindowUsage['window'], number>>>;

/** Course of a simulated attempt. */
export interface AttemptPlan {
  readonly ms: number;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly costUsd: number;
  readonly used: UsedShares;
}

/** Fewest attempts from which durations are drawn. Fewer say too little about a time. */
export const LEAST_ATTEMPTS = 10;

/** Plan without a history, in ms: ten minutes. Its times are not shown. */
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
      const { outcome, reason, costUsd = 0 } = attempt;
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
   * Returns a past attempt of this task, or of any if it has too few; the default if there are too few of any. `random`
   * is at least 0 and less than 1.
   */
  draw(id: TaskId, power: string, random: () => number): AttemptPlan {
    const own = this.byTask.get(keyOf(id, power)) ?? [];
    const drawn = pick(own.length >= LEAST_ATTEMPTS ? own : this.all, random());
    if (!this.isEnough || drawn === undefined) return DEFAULT_PLAN;
    return { ...drawn, used: { ...this.drawUsed(random()), ...drawn.used } };
  }

  /** Returns the shares of an attempt that reported them, for one that did not. */
  private drawUsed(random: number): UsedShares {
    return pick(this.ofKnownUsage, random)?.used ?? {};
  }
}

const keyOf = (id: TaskId, power: string): string => `${String(id)}:${power}`;

const pick = <T>(values: readonly T[], random: number): T | undefined =>
  values[Math.floor(random * values.length)];

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
