import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { EpochMs } from '../../domain/time/epoch';
import type { GateView } from '../../domain/gate/limits';
import type { WorkerDeps } from '../workerDeps';
import { WindowCount } from './usageWindowCount';

/** How far a stretch of work goes. What is not distinguished below holds the queue once it is reached. */
export interface Bounds {
  /** Started by a timer: a hold that earlier bounds left stays. Who starts it otherwise lifts that. */
  readonly scheduled?: boolean;
  /** Ends when nothing is ready and nothing waits only for a back-off, the gate, the budget or another run; no hold. */
  readonly untilEmpty?: boolean;
  /** No task is started once it is aborted; no hold. */
  readonly drainSignal?: AbortSignal;
  /** No task is started from then on. */
  readonly until?: EpochMs;
  /** How many attempts are made. */
  readonly maxTasks?: number;
  /** No task is started once the attempts of the stretch have cost so much. */
  readonly maxCostUsd?: number;
  /** No task is started once N 5-hour usage windows were used up. */
  readonly maxWindows?: number;
}

/** What a stretch of work has used of its bounds. */
export class Meter {
  /** Attempts that came to an end. */
  ran = 0;
  private costUsd = 0;
  /** Rights to start that were taken and not given back: of runs, and of claims that are being asked for. */
  private reserved = 0;
  private readonly windows = new WindowCount();

  constructor(private readonly bounds: Bounds) {}

  /** Which bound is reached; null: none. */
  findReached(now: EpochMs): ReachedBound | null {
    const { until, maxTasks, maxCostUsd, maxWindows } = this.bounds;
    if (until !== undefined && now >= until) return { kind: 'until', at: until };
    if (maxTasks !== undefined && this.ran >= maxTasks) return { kind: 'tasks', count: maxTasks };
    if (maxCostUsd !== undefined && this.costUsd >= maxCostUsd) {
      return { kind: 'cost', maxUsd: maxCostUsd, usd: this.costUsd };
    }
    if (maxWindows !== undefined && this.windows.usedUp >= maxWindows) {
      return { kind: 'usage-windows', count: maxWindows };
    }
    return null;
  }

  /** Takes the right to start one more attempt; false: the bounds leave no room for it, at least for now. */
  reserve(now: EpochMs): boolean {
    const { maxTasks = Infinity } = this.bounds;
    if (this.findReached(now) !== null || this.ran + this.reserved >= maxTasks) return false;
    this.reserved += 1;
    return true;
  }

  /** Gives a right back: after an attempt that counts, or unused. */
  settle(use: 'used' | 'unused'): void {
    this.reserved -= 1;
    if (use === 'used') this.ran += 1;
  }

  pay(costUsd: number): void {
    this.costUsd += costUsd;
  }

  see(gate: GateView): void {
    this.windows.see(gate);
  }
}

/** A run's right to the attempt that follows it. */
export class NextReservation {
  private isHeld = false;

  constructor(private readonly meter: Meter) {}

  /** Asked again before each try to write the run's end: hours may lie between them. */
  ask(mayGoOn: boolean, now: EpochMs): boolean {
    if (mayGoOn) this.isHeld ||= this.meter.reserve(now);
    else this.cancel();
    return this.isHeld;
  }

  /** Nothing follows. */
  cancel(): void {
    if (this.isHeld) this.meter.settle('unused');
    this.isHeld = false;
  }
}

/** The same parts; what their runs cost, and what their gate shows, is counted. */
export function withMeter(deps: WorkerDeps, meter: Meter): WorkerDeps {
  const see = (gate: GateView): GateView => {
    meter.see(gate);
    return gate;
  };
  return {
    ...deps,
    gate: {
      view: async () => see(await deps.gate.view()),
      report: async (met) => see(await deps.gate.report(met)),
      admit: (starter) => deps.gate.admit(starter),
    },
    runner: {
      ...deps.runner,
      run: async (job, events, stop) => {
        const verdict = await deps.runner.run(job, events, stop);
        meter.pay(verdict.costUsd ?? 0);
        return verdict;
      },
    },
  };
}
