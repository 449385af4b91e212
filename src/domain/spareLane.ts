import { formatDuration } from './duration';
import type { EpochMs } from './epoch';
import type { World } from './explain';
import { tellTime, type Moment } from './moment';
import type { Obstacle } from './obstacle';
import type { Priority } from './priority';
import type { Settings } from './settings';
import type { Definition } from './task';
import { evenFrom, findRunning, isLeftLessThan, type ToldWindow } from './usageWindows';

/** Whether a task takes only what the account's windows would lose. */
export function isSpare({ tags }: Definition, { spareTag }: Settings): boolean {
  return tags !== undefined && spareTag !== '' && tags.includes(spareTag);
}

/** The priority by which rules take a task: its row's, or `low` for what is spare. */
export function ownPriority(definition: Definition, settings: Settings): Priority {
  return isSpare(definition, settings) ? 'low' : definition.priority;
}

/**
 * What keeps tasks of the spare lane from being begun: the same for all of them. They wait for the end of a five-hour
 * window of which something is left, in a week of which less is used than has gone by. A run tells how full both are;
 * while none has told, they wait. It is their owner's wish that they wait, and may be for ever: nobody waits for that.
 */
export function findSpareObstacle(world: World): Obstacle | null {
  const { gate, now } = world;
  const five = findRunning(gate, 'five_hour', now);
  const week = findRunning(gate, 'seven_day', now);
  if (five === null || week === null) return wait(() => UNKNOWN);
  return explainRoom(five, week, world) ?? explainEnd(five, week, world);
}

const UNKNOWN = 'how full the windows are is not known yet: a run on a subscription tells it';

function explainRoom(five: ToldWindow, week: ToldWindow, { settings: { reserve } }: World): Obstacle | null {
  const full = [five, week].find((told) => told.utilization >= 1 || isLeftLessThan(told, reserve));
  if (full === undefined) return null;
  const which = full.window === 'five_hour' ? '5-hour window' : 'week';
  const words = full.utilization < 1 ? `the rest of the ${which} is kept` : `nothing is left of the ${which}`;
  return wait(() => words);
}

function explainEnd(five: ToldWindow, week: ToldWindow, world: World): Obstacle | null {
  const { now, settings } = world;
  const lastBegins = five.resetAt - settings.spareBefore;
  // At that very time as much is used as has gone by.
  const lessFrom = evenFrom(week) + 1;
  const from = Math.max(lastBegins, lessFrom);
  if (from <= now) return null;
  // What comes after this window's end depends on the next one, and nobody knows when that begins.
  const until = from < five.resetAt ? from : undefined;
  if (lessFrom > now) return wait(() => 'the week is used faster than it passes', until);
  const last = settings.spareBefore === HOUR_MS ? 'hour' : formatDuration(settings.spareBefore);
  const words = `waits for the last ${last} of a 5-hour window, from`;
  return wait((moment) => `${words} ${tellTime(lastBegins, moment)}`, until);
}

const HOUR_MS = 3_600_000;

function wait(tell: (moment: Moment) => string, until?: EpochMs): Obstacle {
  return {
    kind: 'spare',
    shown: 'waiting',
    waitsFor: 'schedule',
    tell: (moment) => `spare lane: ${tell(moment)}`,
    ...(until === undefined ? {} : { until }),
  };
}
