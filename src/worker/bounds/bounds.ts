import type { ReachedBound } from '../../domain/queue/reachedBound';
import type { EpochMs } from '../../domain/time/epoch';
import { sumUsd } from '../../domain/usd';
import type { GateView } from '../../domain/gate/gate';
import type { WorkerDeps } from '../workerDeps';
import { WindowCount } from './usageWindowCount';

/** Bounds of one worker. A bound that is reached pauses the queue, unless it says otherwise. */
export interface Bounds {
  /** Whether a timer started the run. Any other one first lifts the pause that earlier bounds left. */
  readonly scheduled?: boolean;
  /**
   * Ends the run when no task is ready and none waits only for a retry delay, the gate, the budget or another
   * attempt. Does not pause the queue.
   */
  readonly untilEmpty?: boolean;
  /** No task starts once it is aborted. Does not pause the queue. */
  readonly drainSignal?: AbortSignal;
  /** No task starts from this time on. */
  readonly until?: EpochMs;
  /** Number of attempts. */
  readonly maxTasks?: number;
  /** No task starts once the attempts of the run have cost this much. */
  readonly maxCostUsd?: number;
  /** No task starts once this number of 5-hour usage windows was used up. */
  readonly maxUsageWindows?: number;
}

/**
 * Counters of one worker against its bounds. Each attempt is reserved before its claim, and settled once: as `used` when
 * it has ended, as `unused` if it did not start.
 */
export class Meter {
  /** Attempts that have ended. */
  ran = 0;
  /** Attempts that reported no cost while costs are limited. */
  uncounted = 0;
  private costUsd = 0;
  /** Reservations that are not settled: of running attempts and of claims in progress. */
  private reserved = 0;
  private readonly windows = new WindowCount();

  constructor(private readonly bounds: Bounds) {}

  /** Returns the bound that is reached, or null. */
  findReached(now: EpochMs): ReachedBound | null {
    const { until, maxTasks, maxCostUsd, maxUsageWindows } = this.bounds;
    if (until !== undefined && now >= until) return { kind: 'until', at: until };
    if (maxTasks !== undefined && this.ran >= maxTasks) return { kind: 'tasks', count: maxTasks };
    if (maxCostUsd !== undefined && this.costUsd >= maxCostUsd) {
      return { kind: 'cost', maxUsd: maxCostUsd, usd: this.costUsd };
    }
    if (maxUsageWindows !== undefined && this.windows.usedUp >= maxUsageWindows) {
      return { kind: 'usage-windows', count: maxUsageWindows };
    }
    return null;
  }

  /** Reserves one more attempt. Returns false if the bounds leave no room for it, at least for now. */
  reserve(now: EpochMs): boolean {
    const { maxTasks = Infinity } = this.bounds;
    if (this.findReached(now) !== null || this.ran + this.reserved >= maxTasks) return false;
    this.reserved += 1;
    return true;
  }

  /** Settles a reservation: `used` counts an attempt, `unused` does not. */
  settle(use: 'used' | 'unused'): void {
    this.reserved -= 1;
    if (use === 'used') this.ran += 1;
  }

  pay(costUsd: number | undefined): void {
    this.costUsd = sumUsd([this.costUsd, costUsd ?? 0]);
    if (costUsd === undefined && this.bounds.maxCostUsd !== undefined) this.uncounted += 1;
  }

  see(gate: GateView): void {
    this.windows.see(gate);
  }
}

/** Reservation that a running attempt makes for the attempt after it. */
export class NextReservation {
  private isHeld = false;

  constructor(private readonly meter: Meter) {}

  /**
   * Returns whether to claim the next task. Called before each try to record the attempt's end: hours may pass
   * between tries.
   */
  ask(mayContinue: boolean, now: EpochMs): boolean {
    if (mayContinue) this.isHeld ||= this.meter.reserve(now);
    else this.cancel();
    return this.isHeld;
  }

  /** Cancels the reservation: no attempt follows. */
  cancel(): void {
    if (this.isHeld) this.meter.settle('unused');
    this.isHeld = false;
  }
}

/** Returns the same dependencies, which now count the costs of attempts and the usage windows that the gate shows. */
export function withMeter(deps: WorkerDeps, meter: Meter): WorkerDeps {
  const see = (gate: GateView): GateView => {
    meter.see(gate);
    return gate;
  };
  return {
    ...deps,
    gate: {
      view: async () => see(await deps.gate.view()),
      confirm: () => deps.gate.confirm(),
      report: async (met) => see(await deps.gate.report(met)),
      admit: (starter) => deps.gate.admit(starter),
    },
    runner: {
      ...deps.runner,
      run: async (job, events, stop) => {
        const verdict = await deps.runner.run(job, events, stop);
        meter.pay(verdict.costUsd);
        return verdict;
      },
    },
  };
}
