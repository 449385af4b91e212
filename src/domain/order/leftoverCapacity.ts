import type { EpochMs } from '../time/epoch';
import type { World } from '../reasons/world';
import type { Priority } from '../task/priority';
import type { Obstacle, LeftoverCause } from '../reasons/reason';
import type { Settings } from '../settings/settings';
import type { Definition } from '../task/task';
import { evenFrom, findRunning, isLeftLessThan, type UsageWindow } from '../gate/usageWindows';

/** Whether a task takes only what the account's windows would lose. */
export function isLeftover({ tags }: Definition, { spareTag }: Settings): boolean {
  return tags !== undefined && spareTag !== '' && tags.includes(spareTag);
}

/** The priority by which rules take a task: its row's, or `low` for what is spare. */
export function ownPriority(definition: Definition, settings: Settings): Priority {
  return isLeftover(definition, settings) ? 'low' : definition.priority;
}

/**
 * What keeps tasks of the spare lane from being started: the same for all of them. They wait for the end of a five-hour
 * window of which something is left, in a week of which less is used than has gone by. A run tells how full both are;
 * while none has told, they wait. It is their owner's wish that they wait, and may be for ever: nobody waits for that.
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
  const full = [five, week].find(
    (reported) => reported.utilization >= 1 || isLeftLessThan(reported, reserve),
  );
  if (full === undefined) return null;
  return wait({ why: full.utilization < 1 ? 'kept' : 'used-up', window: full.window });
}

function explainEnd(five: UsageWindow, week: UsageWindow, world: World): Obstacle | null {
  const { now, settings } = world;
  const lastStarts = five.resetAt - settings.spareBefore;
  // At that very time as much is used as has gone by.
  const lessFrom = evenFrom(week) + 1;
  const from = Math.max(lastStarts, lessFrom);
  if (from <= now) return null;
  // What comes after this window's end depends on the next one, and nobody knows when that starts.
  const until = from < five.resetAt ? from : undefined;
  if (lessFrom > now) return wait({ why: 'too-fast' }, until);
  return wait({ why: 'last-part', from: lastStarts, lengthMs: settings.spareBefore }, until);
}

function wait(spare: LeftoverCause, until?: EpochMs): Obstacle {
  return {
    shown: 'waiting',
    waitsFor: 'schedule',
    cause: { kind: 'spare', spare },
    ...(until === undefined ? {} : { until }),
  };
}
