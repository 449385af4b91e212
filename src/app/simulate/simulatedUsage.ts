import type { GateView, WindowUsage } from '../../domain/gate/gate';
import { findRunning, WINDOW_MS, WINDOWS } from '../../domain/gate/usageWindows';
import type { EpochMs } from '../../domain/time/epoch';
import { mapShares, type UsedShares } from './usedShares';

type Window = WindowUsage['window'];

/** A limit that attempts have reached. */
export interface ReachedLimit {
  readonly kind: Window;
  readonly resetAt: EpochMs;
}

/** Part of an attempt in the use of the windows: a steady rate from its start to its end. */
export interface UsageShare {
  /** Share of each window per ms. */
  readonly rates: UsedShares;
  /** Called when another attempt starts or ends: limits are then reached at another time. */
  readonly changed: () => void;
}

/** Tolerance for the rounding of binary fractions. */
const ROUNDING = 1e-9;
/** The same for a time, in ms. */
const ROUNDING_MS = 1e-3;

/** Fill of the account's usage windows, as attempts that run at the same time use them up. */
export class SimulatedUsage {
  private windows: readonly WindowUsage[];
  private readonly shares = new Set<UsageShare>();

  constructor(
    gate: GateView,
    /** Time up to which use is counted. */
    private countedTo: EpochMs,
    private readonly lengths: Readonly<Record<Window, number>> = WINDOW_MS,
  ) {
    this.windows = WINDOWS.flatMap((window) => findRunning(gate, window, countedTo) ?? []);
  }

  /** Fill of the windows that run at this time. */
  at(now: EpochMs): readonly WindowUsage[] {
    this.count(now);
    return this.windows;
  }

  /** Starts the use of an attempt that takes `ms` and uses these shares. A first request opens a window. */
  start(used: UsedShares, ms: number, now: EpochMs, changed: () => void): UsageShare {
    this.count(now);
    const share = { rates: mapShares(used, (amount) => amount / Math.max(ms, 1)), changed };
    this.shares.add(share);
    this.windows = WINDOWS.flatMap((window) => this.find(window) ?? this.open(window, now));
    this.report(share);
    return share;
  }

  /** Ends the use of an attempt. */
  end(share: UsageShare, now: EpochMs): void {
    this.count(now);
    this.shares.delete(share);
    this.report(share);
  }

  /** Returns the limit that stops this attempt now; null: none. */
  limitOf({ rates }: UsageShare, now: EpochMs): ReachedLimit | null {
    const full = this.at(now).find(
      ({ window, utilization }) => rates[window] !== undefined && utilization >= 1 - ROUNDING,
    );
    return full === undefined ? null : { kind: full.window, resetAt: full.resetAt };
  }

  /** Returns when a window is full or reset if nothing else starts or ends; Infinity: never. */
  nextChange(now: EpochMs): EpochMs {
    const times = this.at(now).map(({ window, utilization, resetAt }) => {
      const rate = this.rateOf(window);
      return rate === 0
        ? Infinity
        : Math.min(resetAt, now + Math.ceil((1 - utilization) / rate - ROUNDING_MS));
    });
    return Math.min(Infinity, ...times);
  }

  private report(except: UsageShare): void {
    for (const share of [...this.shares]) if (share !== except) share.changed();
  }

  /** Counts what the running attempts used until now. A window that is in use opens again at its reset. */
  private count(now: EpochMs): void {
    this.windows = this.windows.flatMap((one) => {
      let [from, fill] = [this.countedTo, one];
      while (fill.resetAt <= now) {
        if (!this.isUsed(fill.window)) return [];
        from = fill.resetAt;
        fill = { ...fill, utilization: 0, resetAt: from + this.lengths[fill.window] };
      }
      const used = this.rateOf(fill.window) * (now - from);
      return { ...fill, utilization: Math.min(1, fill.utilization + used) };
    });
    this.countedTo = now;
  }

  private find(window: Window): WindowUsage | undefined {
    return this.windows.find((one) => one.window === window);
  }

  private open(window: Window, now: EpochMs): WindowUsage[] {
    return this.isUsed(window) ? [{ window, utilization: 0, resetAt: now + this.lengths[window] }] : [];
  }

  private isUsed(window: Window): boolean {
    return [...this.shares].some(({ rates }) => rates[window] !== undefined);
  }

  private rateOf(window: Window): number {
    let rate = 0;
    for (const { rates } of this.shares) rate += rates[window] ?? 0;
    return rate;
  }
}
