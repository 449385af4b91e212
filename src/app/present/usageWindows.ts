import { countStarts } from '../../domain/queue/budget';
import { formatDuration } from '../../domain/time/duration';
import type { World } from '../../domain/reasons/world';
import { formatTime } from '../../domain/time/moment';
import { findSpending } from '../../domain/queue/nightBudget';
import { reasonOf } from '../../domain/reasons/reason';
import { reserveObstacle, findReserve } from '../../domain/order/reserve';
import { findRunning, WINDOWS, type UsageWindow } from '../../domain/gate/usageWindows';
import { t } from '../../platform/text/translate';
import { COMMA, isoOrNull } from './text';
import { formatShare, WINDOW_NAMES } from './reasons/amounts';
import { describeReason } from './reasons/reason';

/** Age in milliseconds after which a figure may be too low: other devices' use is reported only by the next attempt. */
const STALE_MS = 30 * 60_000;

/** Describes the account's usage windows, one line each. */
export function describeUsage(world: World): string[] {
  return windowsOf(world).map((usage) => `${WINDOW_NAMES[usage.window]}: ${describeWindow(usage, world)}`);
}

/** Describes the running usage windows in a few characters: `5h 11% 7d 43%`; empty if none is known. */
export function describeUsageShortly(world: Pick<World, 'gate' | 'now'>): string {
  return runningWindowsOf(world)
    .map(({ window, utilization }) => `${SHORT_NAMES[window]} ${formatShare(utilization).replace(' ', '')}`)
    .join(' ');
}

/** Describes the running usage windows for screen readers; empty if none is known. */
export function describeUsageInWords(world: Pick<World, 'gate' | 'now'>): string {
  return runningWindowsOf(world)
    .map(({ window, utilization }) => t('{0} {1} used', WINDOW_NAMES[window], formatShare(utilization)))
    .join(COMMA);
}

function runningWindowsOf({ gate, now }: Pick<World, 'gate' | 'now'>): readonly UsageWindow[] {
  return WINDOWS.flatMap((window) => findRunning(gate, window, now) ?? []);
}

const SHORT_NAMES: Readonly<Record<UsageWindow['window'], string>> = { five_hour: '5h', seven_day: '7d' };

/** Describes the reserve in force, in one line; none if there is none. */
export function describeKept(world: World): string[] {
  const kept = findReserve(world);
  return kept === null
    ? []
    : [t('Reserve: {0}.', describeReason(reasonOf(reserveObstacle(kept, world.settings)), world))];
}

/** Returns the windows in a fixed order. */
function windowsOf({ gate }: World): readonly UsageWindow[] {
  return WINDOWS.flatMap((window) => gate.usage.filter((usage) => usage.window === window));
}

function describeWindow(usage: UsageWindow, world: World): string {
  const share = t('{0} used', formatShare(usage.utilization));
  const age = t('{0} ago', formatDuration(world.now - usage.asOf));
  const reset = formatTime(usage.resetAt, world);
  switch (stateOf(usage, world)) {
    case 'running':
      return isStale(usage, world)
        ? t('{0}, resets {1} (reported {2}; other devices may have used more since)', share, reset, age)
        : t('{0}, resets {1} (reported {2})', share, reset, age);
    case 'over':
      return t('new since {0} (last reported {1}: {2})', reset, age, share);
    case 'unknown':
      return t('unknown: the reset reported {0} is too far ahead ({1})', age, reset);
  }
}

/** Whether the reported window is running, is over, or cannot be true. */
function stateOf(usage: UsageWindow, { gate, now }: World): 'running' | 'over' | 'unknown' {
  if (usage.resetAt <= now) return 'over';
  return findRunning(gate, usage.window, now) === null ? 'unknown' : 'running';
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
    windows: windowsOf(world).map((usage) => windowAsJson(usage, world)),
    reserve:
      kept === null
        ? null
        : { window: kept.window, for: settings.reserveFor, until: isoOrNull(kept.resetAt) },
  };
}

/** JSON of a window. A window after its reset counts as empty; `reported` is the figure as reported. */
function windowAsJson(usage: UsageWindow, world: World): object {
  const state = stateOf(usage, world);
  return {
    window: usage.window,
    utilization: state === 'over' ? 0 : usage.utilization,
    resetAt: isoOrNull(usage.resetAt),
    asOf: isoOrNull(usage.asOf),
    reported: usage.utilization,
    state,
    stale: isStale(usage, world),
  };
}
