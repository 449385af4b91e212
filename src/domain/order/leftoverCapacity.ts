import type { EpochMs } from '../time/epoch';
import type { World } from '../reasons/world';
import type { Priority } from '../task/priority';
import type { Obstacle, LeftoverCause } from '../reasons/reason';
import type { Settings } from '../settings/settings';
import type { Definition } from '../task/task';
import { evenFrom, findRunning, isLeftLessThan, type UsageWindow } from '../gate/usageWindows';

/** Whether a task takes only leftover capacity: what the account's usage windows would lose. */
export function isLeftover({ tags }: Definition, { spareTag }: Settings): boolean {
  return tags !== undefined && spareTag !== '' && tags.includes(spareTag);
}

/** Returns the priority that rules use for a task: its row's, or `low` for a leftover task. */
export function ownPriority(definition: Definition, settings: Settings): Priority {
  return isLeftover(definition, settings) ? 'low' : definition.priority;
}

/**
 * Returns what keeps leftover tasks from starting; it is the same for all of them. They wait for the end of a five-hour
 * window that has something left, in a week that is used less than its elapsed share. Runs report how full both windows
 * are; until one has, they wait.
 * Their owner wants them to wait, perhaps for ever, so no worker waits for them.
 */
export function findLeftoverObstacle(world: World): Obstacle | null {
  const { gate, now } = world;
  const five = findRunning(gate, 'five_hour', now);
  const week = findRunning(gate, 'seven_day', now);
  if (five === null || week === null) return wait({ why: 'unknown' });
  return explainRoom(five, week, world) ?? explainEnd(five, week, world);
}

function explainRoom(
  five: UsageWindow,
  week: UsageWindow,
  { settings: { reserve } }: World,
): Obstacle | null {
  const full = [five, week].find((usage) => usage.utilization >= 1 || isLeftLessThan(usage, reserve));
  if (full === undefined) return null;
  return wait({ why: full.utilization < 1 ? 'kept' : 'used-up', window: full.window });
}

function explainEnd(five: UsageWindow, week: UsageWindow, world: World): Obstacle | null {
  const { now, settings } = world;
  const lastStarts = five.resetAt - settings.spareBefore;
  // At that moment usage equals the elapsed share.
  const lessFrom = evenFrom(week) + 1;
  const from = Math.max(lastStarts, lessFrom);
  if (from <= now) return null;
  // After this window's end it depends on the next one, whose start is not known.
  const until = from < five.resetAt ? from : undefined;
  if (lessFrom > now) return wait({ why: 'too-fast' }, until);
  return wait({ why: 'last-part', from: lastStarts, lengthMs: settings.spareBefore }, until);
}

function wait(spare: LeftoverCause, until?: EpochMs): Obstacle {
  return {
    state: 'waiting',
    waitsFor: 'schedule',
    cause: { kind: 'spare', spare },
    ...(until === undefined ? {} : { until }),
  };
}
