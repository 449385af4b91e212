import { countStarts } from '../../domain/queue/budget';
import { formatDuration } from '../../domain/time/duration';
import type { World } from '../../domain/reasons/world';
import { formatTime } from '../../domain/time/moment';
import { findSpending } from '../../domain/queue/nightBudget';
import { reasonOf } from '../../domain/reasons/reason';
import { reserveObstacle, findReserve } from '../../domain/order/reserve';
import { findRunning, WINDOWS, type UsageWindow } from '../../domain/gate/usageWindows';
import { isoOrNull } from './gateStatus';
import { formatShare, WINDOW_NAMES } from './reasons/amounts';
import { describeReason } from './reasons/reason';

/** Age in milliseconds after which a figure may be too low: other devices' use is reported only by the next attempt. */
const STALE_MS = 30 * 60_000;

/** Describes the account's usage windows, one line each. */
export function describeUsage(world: World): string[] {
  return windowsOf(world).map(
    (reported) => `${WINDOW_NAMES[reported.window]}: ${describeWindow(reported, world)}`,
  );
}

/** Describes the reserve in force, in one line; none if there is none. */
export function describeKept(world: World): string[] {
  const kept = findReserve(world);
  return kept === null
    ? []
    : [`Reserve: ${describeReason(reasonOf(reserveObstacle(kept, world.settings)), world)}.`];
}

/** Returns the windows in a fixed order. */
function windowsOf({ gate }: World): readonly UsageWindow[] {
  return WINDOWS.flatMap((window) => gate.usage.filter((reported) => reported.window === window));
}

function describeWindow(reported: UsageWindow, world: World): string {
  const share = `${formatShare(reported.utilization)} used`;
  const age = `${formatDuration(world.now - reported.asOf)} ago`;
  const reset = formatTime(reported.resetAt, world);
  switch (stateOf(reported, world)) {
    case 'running': {
      const doubt = isStale(reported, world) ? '; other devices may have used more since' : '';
      return `${share}, resets ${reset} (reported ${age}${doubt})`;
    }
    case 'over':
      return `new since ${reset} (last reported ${age}: ${share})`;
    case 'unknown':
      return `unknown: the reset reported ${age} is too far ahead (${reset})`;
  }
}

/** Whether the reported window is running, is over, or cannot be true. */
function stateOf(reported: UsageWindow, { gate, now }: World): 'running' | 'over' | 'unknown' {
  if (reported.resetAt <= now) return 'over';
  return findRunning(gate, reported.window, now) === null ? 'unknown' : 'running';
}

function isStale({ asOf }: UsageWindow, { now }: World): boolean {
  return now - asOf >= STALE_MS;
}

/** JSON of attempts against the budget, and of the account's usage windows. */
export function usageAsJson(world: World): object {
  const { queue, now, settings, timeZone } = world;
  const { hour, day } = countStarts(queue.starts, now);
  const kept = findReserve(world);
  return {
    attempts: { hour, maxPerHour: settings.maxPerHour, day, maxPerDay: settings.maxPerDay },
    night: { costUsd: findSpending(queue.costs, now, timeZone).usd, nightBudget: settings.nightBudget },
    windows: windowsOf(world).map((reported) => windowAsJson(reported, world)),
    reserve:
      kept === null
        ? null
        : { window: kept.window, for: settings.reserveFor, until: isoOrNull(kept.resetAt) },
  };
}

/** JSON of a window. A window after its reset counts as empty; `reported` is the figure as reported. */
function windowAsJson(reported: UsageWindow, world: World): object {
  const state = stateOf(reported, world);
  return {
    window: reported.window,
    utilization: state === 'over' ? 0 : reported.utilization,
    resetAt: isoOrNull(reported.resetAt),
    asOf: isoOrNull(reported.asOf),
    reported: reported.utilization,
    state,
    stale: isStale(reported, world),
  };
}
