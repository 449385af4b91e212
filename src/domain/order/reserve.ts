import type { World } from '../reasons/world';
import type { Obstacle } from '../reasons/reason';
import { ownPriority } from './leftoverCapacity';
import { findRunning, isLeftLessThan, WINDOWS, type UsageWindow } from '../gate/usageWindows';
import type { Settings } from '../settings/settings';
import type { TaskView } from '../queue/view';

const RESERVE = { state: 'waiting', waitsFor: 'machine', atLimit: true } as const;

/**
 * Returns the usage window that has less left than the reserve; of two, the one with the later reset. Null: no reserve
 * applies now.
 */
export function findReserve({ gate, now, settings }: World): UsageWindow | null {
  // Without a report on a window, it has no reserve.
  if (settings.reserve === 0 || gate.usage.length === 0) return null;
  let longest: UsageWindow | null = null;
  for (const window of WINDOWS) {
    const usage = findRunning(gate, window, now);
    if (usage === null || !isLeftLessThan(usage, settings.reserve)) continue;
    if (longest === null || usage.resetAt > longest.resetAt) longest = usage;
  }
  return longest;
}

/**
 * Returns the obstacle if the reserve is not for the task's own priority, regardless of how long the task has waited.
 */
export function findReserveObstacle({ definition }: TaskView, world: World): Obstacle | null {
  const kept = findReserve(world);
  if (kept === null || world.settings.reserveFor.includes(ownPriority(definition, world.settings)))
    return null;
  return reserveObstacle(kept, world.settings);
}

/** Whether the reserve keeps every task from starting, regardless of its priority. */
export function isReservedFromAll(world: World): boolean {
  return world.settings.reserveFor.length === 0 && findReserve(world) !== null;
}

/** Returns the obstacle: for which priorities the rest of a window is kept, and until when. */
export function reserveObstacle(
  window: UsageWindow,
  { reserveFor: keptFor }: Pick<Settings, 'reserveFor'>,
): Obstacle {
  return { ...RESERVE, until: window.resetAt, cause: { kind: 'reserve', window, keptFor } };
}
