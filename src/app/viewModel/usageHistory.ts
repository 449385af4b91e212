import type { WindowUsage } from '../../domain/gate/gate';
import { WINDOWS, type UsageWindow } from '../../domain/gate/usageWindows';
import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';

/** Figure of a usage window that is known from a time on. */
export interface UsagePoint {
  readonly at: EpochMs;
  /** 0 to 1. */
  readonly utilization: number;
}

/** Figures of the account's usage windows, as attempts of a queue reported them. */
export interface UsageHistory {
  /** Points of each window, oldest first; a window counts as empty after its reset. */
  readonly points: Readonly<Record<WindowUsage['window'], readonly UsagePoint[]>>;
  /** Times at which attempts reached a limit, oldest first. */
  readonly limits: readonly EpochMs[];
}

/** Returns the usage that attempts reported, and the latest one that the account's gate knows, until `now`. */
export function readUsageHistory(
  attempts: readonly Attempt[],
  latest: readonly UsageWindow[],
  now: EpochMs,
): UsageHistory {
  const reports: readonly UsageWindow[] = [
    ...attempts.flatMap(({ usage = [], endedAt }) => usage.map((one) => ({ ...one, asOf: endedAt }))),
    ...latest,
  ];
  const limits = attempts
    .filter(({ outcome }) => outcome === 'limit')
    .map(({ closedSince, endedAt }) => closedSince ?? endedAt);
  const pointsOf = (window: WindowUsage['window']): readonly UsagePoint[] =>
    toPoints(
      reports.filter((one) => one.window === window),
      now,
    );
  const [five_hour, seven_day] = WINDOWS.map(pointsOf);
  return {
    points: { five_hour: five_hour ?? [], seven_day: seven_day ?? [] },
    limits: [...new Set(limits)].sort((one, other) => one - other),
  };
}

function toPoints(reports: readonly UsageWindow[], now: EpochMs): UsagePoint[] {
  const sorted = reports
    // An attempt that outlived the window had its report before the reset.
    .map(({ asOf, resetAt, utilization }) => ({ at: Math.min(asOf, resetAt - 1), resetAt, utilization }))
    .sort((one, other) => one.at - other.at);
  return sorted.flatMap(({ at, utilization, resetAt }, index) => {
    const until = sorted[index + 1]?.at ?? now;
    return [{ at, utilization }, ...(resetAt <= until ? [{ at: resetAt, utilization: 0 }] : [])];
  });
}
