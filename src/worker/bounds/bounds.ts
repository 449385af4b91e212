import type { EpochMs } from '../../domain/time/epoch';
import type { GateView } from '../../domain/gate/limits';
import { formatSecond } from '../../domain/time/localTime';
import { type Moment, formatTime } from '../../domain/time/moment';
import { formatUsd } from '../../domain/usd';
import type { WorkerDeps } from '../workerDeps';
import { WindowCount } from './usageWindowCount';

/** How far a stretch of work goes. What is not told apart below holds the queue once it is reached. */
export interface Bounds {
  /** Begun by a timer: a hold that earlier bounds left stays. Who begins it otherwise lifts that. */
  readonly scheduled?: boolean;
  /** Ends when nothing is ready and nothing waits only for a back-off, the gate, the budget or another run; no hold. */
  readonly untilEmpty?: boolean;
  /** No task is begun once it is aborted; no hold. */
  readonly enough?: AbortSignal;
  /** No task is begun from then on. */
  readonly until?: EpochMs;
  /** How many attempts are made. */
  readonly maxTasks?: number;
  /** No task is begun once the attempts of the stretch have cost so much. */
  readonly maxCostUsd?: number;
  /** No task is begun once so many five-hour windows were used up. */
  readonly maxWindows?: number;
}

/** What a stretch of work has used of its bounds. */
export class Meter {
  /** Attempts that came to an end. */
  ran = 0;
  private costUsd = 0;
  /** Rights to begin that were taken and not given back: of runs, and of claims that are being asked for. */
  private taken = 0;
  private readonly windows = new WindowCount();

  constructor(private readonly bounds: Bounds) {}

  /** Which bound is reached, in words for those who ask why the queue is held; null: none. */
  findReached(moment: Moment): string | null {
    const { until, maxTasks, maxCostUsd, maxWindows } = this.bounds;
    if (until !== undefined && moment.now >= until) return `${MEANT} at ${describeEnd(until, moment)}`;
    if (maxTasks !== undefined && this.ran >= maxTasks) return `${MEANT} after ${count(maxTasks, 'task')}`;
    if (maxCostUsd !== undefined && this.costUsd >= maxCostUsd) {
      return `${MEANT} at a cost of ${formatUsd(maxCostUsd)}, and has cost ${formatUsd(this.costUsd)}`;
    }
    if (maxWindows !== undefined && this.windows.usedUp >= maxWindows) {
      return `${MEANT} after ${count(maxWindows, 'five-hour window')}`;
    }
    return null;
  }

  /** Takes the right to begin one more attempt; false: the bounds leave no room for it, at least for now. */
  take(moment: Moment): boolean {
    const { maxTasks = Infinity } = this.bounds;
    if (this.findReached(moment) !== null || this.ran + this.taken >= maxTasks) return false;
    this.taken += 1;
    return true;
  }

  /** Gives a right back: after an attempt that counts, or unused. */
  giveBack(hasRun: boolean): void {
    this.taken -= 1;
    if (hasRun) this.ran += 1;
  }

  pay(costUsd: number): void {
    this.costUsd += costUsd;
  }

  see(gate: GateView): void {
    this.windows.see(gate);
  }
}

/** A run's right to the attempt that follows it. */
export class NextRight {
  private isHeld = false;

  constructor(private readonly meter: Meter) {}

  /** Asked again before each try to write the run's end: hours may lie between them. */
  ask(mayGoOn: boolean, moment: Moment): boolean {
    if (mayGoOn) this.isHeld ||= this.meter.take(moment);
    else this.giveBack();
    return this.isHeld;
  }

  /** Nothing follows. */
  giveBack(): void {
    if (this.isHeld) this.meter.giveBack(false);
    this.isHeld = false;
  }
}

const MEANT = 'this stretch of work was to end';

/** To the second where it is no whole minute: nothing is told to end later than it does. */
function describeEnd(until: EpochMs, moment: Moment): string {
  return until % MINUTE_MS === 0 ? formatTime(until, moment) : formatSecond(until, moment.timeZone);
}

const MINUTE_MS = 60_000;

function count(number: number, thing: string): string {
  return `${String(number)} ${thing}${number === 1 ? '' : 's'}`;
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
