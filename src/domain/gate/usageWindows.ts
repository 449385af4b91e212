import type { EpochMs } from '../time/epoch';
import type { GateView, WindowUsage } from './gate';

/** A usage window of the account as a run reported it, with the time of the report. */
export type UsageWindow = GateView['usage'][number];

/** Usage windows of an account. */
export const WINDOWS = ['five_hour', 'seven_day'] as const satisfies readonly WindowUsage['window'][];

const HOUR_MS = 3_600_000;
/** Length of each usage window, in ms. */
export const WINDOW_MS: Readonly<Record<WindowUsage['window'], number>> = {
  five_hour: 5 * HOUR_MS,
  seven_day: 7 * 24 * HOUR_MS,
};

/** Tolerance between the account's clock and this machine's. */
const CLOCKS_APART_MS = HOUR_MS;

/**
 * Returns the last report on the usage window that runs now. Null: there is none, its reset has passed, or its reset is
 * farther ahead than such a window lasts. After a reset, the next request opens another window.
 * Usage only grows while a window runs, so an old figure is at worst too low: usage from other devices is not reported.
 */
export function findRunning(gate: GateView, window: WindowUsage['window'], now: EpochMs): UsageWindow | null {
  const usage = gate.usage.find((one) => one.window === window);
  if (usage === undefined) return null;
  const isRunning = usage.resetAt > now && usage.resetAt <= now + WINDOW_MS[window] + CLOCKS_APART_MS;
  return isRunning ? usage : null;
}

/** Returns when the elapsed share of the window's time equals its usage, if nothing more is used. */
export function evenFrom({ window, utilization, resetAt }: WindowUsage): EpochMs {
  return resetAt - Math.round((1 - utilization) * WINDOW_MS[window]);
}

/** Tolerance for the rounding of binary fractions. */
const ROUNDING = 1e-9;

/** Whether less than this share of the window is left. */
export function isLeftLessThan({ utilization }: WindowUsage, share: number): boolean {
  return utilization > 1 - share + ROUNDING;
}
