import { countStarts } from '../../domain/queue/budget';
import { formatDuration } from '../../domain/time/duration';
import type { World } from '../../domain/reasons/world';
import { tellTime } from '../../domain/time/moment';
import { findSpending } from '../../domain/queue/nightBudget';
import { reasonOf } from '../../domain/reasons/reason';
import { reserveObstacle, findReserve } from '../../domain/order/reserve';
import { findRunning, WINDOWS, type ToldWindow } from '../../domain/gate/usageWindows';
import { isoOrNull } from './gateStatus';
import { formatShare, WINDOW_NAMES } from './reasons/amounts';
import { describeReason } from './reasons/reason';

/** After that the figure may well be too low: what other devices use is heard of only with the next run. */
const STALE_MS = 30 * 60_000;

/** What is known of the account's windows, a line each. */
export function describeUsage(world: World): string[] {
  return windowsOf(world).map((told) => `${WINDOW_NAMES[told.window]}: ${describeWindow(told, world)}`);
}

/** What of them is kept now, in a line; none where nothing is. */
export function describeKept(world: World): string[] {
  const kept = findReserve(world);
  return kept === null
    ? []
    : [`Reserve: ${describeReason(reasonOf(reserveObstacle(kept, world.settings)), world)}.`];
}

/** Always in the same order, whichever was told last. */
function windowsOf({ gate }: World): readonly ToldWindow[] {
  return WINDOWS.flatMap((window) => gate.usage.filter((told) => told.window === window));
}

function describeWindow(told: ToldWindow, world: World): string {
  const share = `${formatShare(told.utilization)} used`;
  const age = `${formatDuration(world.now - told.asOf)} ago`;
  const reset = tellTime(told.resetAt, world);
  switch (stateOf(told, world)) {
    case 'running': {
      const doubt = isStale(told, world) ? '; other devices may have used more since' : '';
      return `${share}, resets ${reset} (told ${age}${doubt})`;
    }
    case 'over':
      return `new since ${reset} (last told ${age}: ${share})`;
    case 'unknown':
      return `not known: the reset that was told ${age} lies too far ahead (${reset})`;
  }
}

/** Whether the window runs that was told of, or the reset has come, or cannot be true. */
function stateOf(told: ToldWindow, { gate, now }: World): 'running' | 'over' | 'unknown' {
  if (told.resetAt <= now) return 'over';
  return findRunning(gate, told.window, now) === null ? 'unknown' : 'running';
}

function isStale({ asOf }: ToldWindow, { now }: World): boolean {
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
    windows: windowsOf(world).map((told) => windowAsJson(told, world)),
    reserve:
      kept === null
        ? null
        : { window: kept.window, for: settings.reserveFor, until: isoOrNull(kept.resetAt) },
  };
}

/** A window whose reset has come counts as empty; `told` is the figure as the account gave it. */
function windowAsJson(told: ToldWindow, world: World): object {
  const state = stateOf(told, world);
  return {
    window: told.window,
    utilization: state === 'over' ? 0 : told.utilization,
    resetAt: isoOrNull(told.resetAt),
    asOf: isoOrNull(told.asOf),
    told: told.utilization,
    state,
    stale: isStale(told, world),
  };
}
