import type { WindowUsage } from '../../domain/gate/gate';
import { WINDOWS } from '../../domain/gate/usageWindows';

/** Share of each usage window that an attempt used, 0 to 1; absent: unknown. */
export type UsedShares = Readonly<Partial<Record<WindowUsage['window'], number>>>;

/** Returns these shares, each changed. */
export function mapShares(used: UsedShares, change: (share: number) => number): UsedShares {
  const entries = WINDOWS.flatMap((window) => {
    const share = used[window];
    return share === undefined ? [] : [[window, change(share)]];
  });
  return Object.fromEntries(entries) as UsedShares;
}
