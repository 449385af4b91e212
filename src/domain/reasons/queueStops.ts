import { findBlockForAll } from '../gate/gateOpening';
import { isForAll, forgetResets } from '../gate/gate';
import { findReserve, isReservedFromAll, reserveObstacle } from '../order/reserve';
import { findQuietForAll } from '../time/quietHours';
import {
  findBudgetObstacles,
  findPauseObstacle,
  findReviewObstacle,
  findSettingsObstacle,
} from './explainQueue';
import { gateObstacleOf } from './explainGate';
import { quietObstacleOf } from './explainTime';
import type { Cause, Obstacle } from './reason';
import { createWorld, type World } from './world';

/** Returns what keeps every task from starting now, besides busy slots: what waits for the user first. */
export function findQueueStops(world: World): readonly Obstacle[] {
  const blockedBy = findBlockForAll(world.gate, world.now, world.settings);
  const found = [
    findSettingsObstacle(world),
    findPauseObstacle(world),
    findReviewObstacle(world),
    blockedBy === null ? null : gateObstacleOf(blockedBy, world),
    findFullQuietObstacle(world),
    findReserveForAll(world),
    ...findBudgetObstacles(world),
  ].filter((obstacle) => obstacle !== null);
  const isForUser = ({ waitsFor }: Obstacle): boolean => waitsFor === 'person';
  return [...found.filter(isForUser), ...found.filter((obstacle) => !isForUser(obstacle))];
}

/** Whether the queue stopped itself for this cause and waits for the user, who did not ask for that. */
export function isOwnStop(cause: Cause): boolean {
  if (cause.kind === 'hold') return cause.hold.by === 'bounds';
  return cause.kind === 'failures' || cause.kind === 'unreviewed';
}

/** Whether the queue is paused: by the user, a bound, or failures in a row. */
export function isPause({ kind }: Cause): boolean {
  return kind === 'hold' || kind === 'failures';
}

function findReserveForAll(world: World): Obstacle | null {
  const kept = isReservedFromAll(world) ? findReserve(world) : null;
  return kept === null ? null : reserveObstacle(kept, world.settings);
}

function findFullQuietObstacle({ settings, now, timeZone }: World): Obstacle | null {
  const quiet = findQuietForAll(settings.quietHours, now, timeZone);
  return quiet === null ? null : quietObstacleOf(quiet);
}

/** Returns the world without what keeps every task from starting. The same world if nothing does. */
export function liftStops(world: World): World {
  if (findQueueStops(world).length === 0) return world;
  const { queue, gate, settings, byId } = world;
  const holds = queue.holds.filter(({ priorities }) => priorities !== undefined);
  const closures = gate.closures.filter((block) => !isForAll(block));
  return createWorld(
    {
      ...world,
      wrongSettings: [],
      queue: { ...queue, holds, streak: null, starts: [], costs: [] },
      gate: forgetResets({ ...gate, closures }, gate.closures.filter(isForAll)),
      settings: {
        ...settings,
        maxUnreviewed: 0,
        reserve: isReservedFromAll(world) ? 0 : settings.reserve,
        quietHours: settings.quietHours.filter(({ priorities }) => priorities !== undefined),
      },
    },
    byId,
  );
}
