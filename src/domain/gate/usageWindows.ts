import type { EpochMs } from '../time/epoch';
import type { GateView, WindowUsage } from './limits';

/** A window of the account as a run was told of it, and when. */
export type UsageWindow = GateView['usage'][number];

/** The windows that an account has. */
export const WINDOWS = ['five_hour', 'seven_day'] as const satisfies readonly WindowUsage['window'][];

const HOUR_MS = 3_600_000;
const LENGTH_MS: Record<WindowUsage['window'], number> = {
  five_hour: 5 * HOUR_MS,
  seven_day: 7 * 24 * HOUR_MS,
};

/** How far the account's clock and this one may differ. */
const CLOCKS_APART_MS = HOUR_MS;

/**
 * What was told of the window that runs now. Null where nothing was: the next request opens another window once its
 * reset has come, and one that would last longer than such a window does is not believed. While it runs it only fills,
 * so that an old figure is too low at worst: who fills it from another device is not heard of.
 */
export function findRunning(gate: GateView, window: WindowUsage['window'], now: EpochMs): UsageWindow | null {
  const reported = gate.usage.find((one) => one.window === window);
  if (reported === undefined) return null;
  const isRunning = reported.resetAt > now && reported.resetAt <= now + LENGTH_MS[window] + CLOCKS_APART_MS;
  return isRunning ? reported : null;
}

/** From when on the window, if nothing more is used of it, is less full than the share of its time that has gone by. */
export function evenFrom({ window, utilization, resetAt }: WindowUsage): EpochMs {
  return resetAt - Math.round((1 - utilization) * LENGTH_MS[window]);
}

/** What remains over of N hundredths and thousandths by the way numbers are kept. */
const ROUNDING = 1e-9;

/** Whether less than this share of the window is left. */
export function isLeftLessThan({ utilization }: WindowUsage, share: number): boolean {
  return utilization > 1 - share + ROUNDING;
}
