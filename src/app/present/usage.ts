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

/** After that the figure may well be too low: what other devices use is heard of only with the next run. */
const STALE_MS = 30 * 60_000;

/** What is known of the account's windows, a line each. */
export function describeUsage(world: World): string[] {
  return windowsOf(world).map(
    (reported) => `${WINDOW_NAMES[reported.window]}: ${describeWindow(reported, world)}`,
  );
}

/** What of them is kept now, in a line; none where nothing is. */
export function describeKept(world: World): string[] {
  const kept = findReserve(world);
  return kept === null
    ? []
    : [`Reserve: ${describeReason(reasonOf(reserveObstacle(kept, world.settings)), world)}.`];
}

/** Always in the same order, whichever was told last. */
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

/** Whether the window runs that was told of, or the reset has come, or cannot be true. */
function stateOf(reported: UsageWindow, { gate, now }: World): 'running' | 'over' | 'unknown' {
  if (reported.resetAt <= now) return 'over';
  return findRunning(gate, reported.window, now) === null ? 'unknown' : 'running';
}

function isStale({ asOf }: UsageWindow, { now }: World): boolean {
  return now - asOf >= STALE_MS;
}

/** Attempts against the budget, and the fill levels of the account's windows. */
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

/** A window whose reset has come counts as empty; `told` is the figure as the account gave it. */
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
