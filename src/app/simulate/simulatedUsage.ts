import type { GateView, WindowUsage } from '../../domain/gate/limits';
import { findRunning, WINDOW_MS, WINDOWS } from '../../domain/gate/usageWindows';
import type { EpochMs } from '../../domain/time/epoch';
import type { UsedShares } from './pastAttempts';

/** A limit that an attempt reaches. */
export interface ReachedLimit {
  readonly kind: WindowUsage['window'];
  /** Share of the attempt that is done by then, 0 to 1. */
  readonly done: number;
  readonly resetAt: EpochMs;
}

/** Fill of the account's usage windows, as attempts use them up. */
export class SimulatedUsage {
  private windows: readonly WindowUsage[];

  constructor(gate: GateView, now: EpochMs) {
    this.windows = WINDOWS.flatMap((window) => findRunning(gate, window, now) ?? []);
  }

  /** Fill of the windows that run at this time. */
  at(now: EpochMs): readonly WindowUsage[] {
    return this.windows.filter(({ resetAt }) => resetAt > now);
  }

  /**
   * Adds what an attempt of `ms` uses that starts now. Its part after a reset does not count. Returns the limit that it
   * reaches first; null: none. A first request opens a window.
   */
  use(used: UsedShares, ms: number, now: EpochMs): ReachedLimit | null {
    const limits: ReachedLimit[] = [];
    this.windows = WINDOWS.flatMap((window) => {
      const share = used[window];
      const open = this.at(now).find((one) => one.window === window);
      if (share === undefined) return open ?? [];
      const { utilization, resetAt } = open ?? { utilization: 0, resetAt: now + WINDOW_MS[window] };
      const counted = share * Math.min(1, (resetAt - now) / Math.max(ms, 1));
      if (utilization + counted < 1) return { window, utilization: utilization + counted, resetAt };
      limits.push({ kind: window, done: share === 0 ? 0 : Math.min(1, (1 - utilization) / share), resetAt });
      return { window, utilization: 1, resetAt };
    });
    limits.sort((one, other) => one.done - other.done);
    return limits[0] ?? null;
  }
}
