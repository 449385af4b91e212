import type { World } from '../reasons/world';
import type { Obstacle } from '../reasons/reason';
import { ownPriority } from './leftoverCapacity';
import { findRunning, isLeftLessThan, WINDOWS, type UsageWindow } from '../gate/usageWindows';
import type { Settings } from '../settings/settings';
import type { TaskView } from '../queue/view';

const RESERVE = { shown: 'waiting', waitsFor: 'machine', atLimit: true } as const;

/** The window of which less is left than is kept; of both the one that lasts longer. Null: nothing is kept now. */
export function findReserve({ gate, now, settings }: World): UsageWindow | null {
  // Of a window of which nothing is known nothing is kept.
  if (settings.reserve === 0 || gate.usage.length === 0) return null;
  let longest: UsageWindow | null = null;
  for (const window of WINDOWS) {
    const reported = findRunning(gate, window, now);
    if (reported === null || !isLeftLessThan(reported, settings.reserve)) continue;
    if (longest === null || reported.resetAt > longest.resetAt) longest = reported;
  }
  return longest;
}

/** What keeps a task of this priority from the rest of the account's windows; however long it has waited. */
export function findReserveObstacle({ definition }: TaskView, world: World): Obstacle | null {
  const kept = findReserve(world);
  if (kept === null || world.settings.reserveFor.includes(ownPriority(definition, world.settings)))
    return null;
  return reserveObstacle(kept, world.settings);
}

/** Whether every task is kept from it, whichever its priority. */
export function isReservedFromAll(world: World): boolean {
  return world.settings.reserveFor.length === 0 && findReserve(world) !== null;
}

/** For whom the rest of a window is kept, and until when. */
export function reserveObstacle(
  window: UsageWindow,
  { reserveFor: keptFor }: Pick<Settings, 'reserveFor'>,
): Obstacle {
  return { ...RESERVE, until: window.resetAt, cause: { kind: 'reserve', window, keptFor } };
}
