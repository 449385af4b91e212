import type { EpochMs } from '../time/epoch';
import type { World } from './world';
import { isImplausibleReset } from '../gate/gateOpening';
import type { GateView } from '../gate/gate';
import { findSkipped } from '../time/missedRuns';
import { findSoonerTime } from '../time/soonerTime';
import { findQuiet, type Quiet } from '../time/quietHours';
import type { Priority } from '../task/priority';
import type { Cause, Obstacle } from './reason';
import { ownPriority } from '../order/leftoverCapacity';
import type { TaskState, TaskView } from '../queue/view';

/**
 * Returns the own time that a task waits for: its owner's, its next repetition, or the end of a back-off or limit.
 * Null: none.
 */
export function findTimeObstacle(task: TaskView, world: World): Obstacle | null {
  const owners = ownersTime(task.state, world.now);
  const own = programsTime(task, world);
  if (owners === null || own === null) return owners ?? own;
  return own.until >= owners.until ? own : owners;
}

type Timed = Obstacle & { readonly until: EpochMs };

function ownersTime({ ownerScheduledAt }: TaskState, now: EpochMs): Timed | null {
  if (ownerScheduledAt === null || ownerScheduledAt <= now) return null;
  return timed({ kind: 'time', of: 'owner', until: ownerScheduledAt }, SCHEDULED);
}

const SCHEDULED = { state: 'scheduled', waitsFor: 'schedule' } as const;

function programsTime(task: TaskView, world: World): Timed | null {
  const { state } = task;
  const { now } = world;
  const dueAt = findSoonerTime(task, world) ?? dueTimeOf(state, world.gate);
  if (dueAt === null) return null;
  if (dueAt <= now) {
    const skipped = findSkipped(task, world);
    return skipped === null || skipped.dueAt <= now ? null : repeatObstacle(skipped.dueAt, skipped.count);
  }
  switch (state.dueCause) {
    case 'repeat':
      return repeatObstacle(dueAt, state.missed ?? 0);
    case 'limit':
      if (isDisbelieved(dueAt, world)) return null;
      return timed({ kind: 'limit', until: dueAt }, LIMIT);
    case 'retry':
    case null:
      return timed({ kind: 'time', of: 'retry', until: dueAt }, RETRY);
  }
}

/**
 * Returns the program's own time for a task. A limit's reset no longer counts once the account's gate opened without
 * waiting for it.
 */
function dueTimeOf({ dueAt, dueCause }: TaskState, { openedBefore }: GateView): EpochMs | null {
  const isOver =
    dueCause === 'limit' && dueAt !== null && openedBefore !== undefined && dueAt <= openedBefore;
  return isOver ? null : dueAt;
}

/** Whether the gate no longer believes the reset that the task waits for. */
function isDisbelieved(dueAt: EpochMs, { gate, now, settings }: World): boolean {
  return gate.closures.some((block) => block.until === dueAt && isImplausibleReset(block, now, settings));
}

const RETRY = { state: 'retrying', waitsFor: 'machine' } as const;
const LIMIT = { state: 'waiting', waitsFor: 'machine', atLimit: true } as const;

function repeatObstacle(dueAt: EpochMs, missed: number): Timed {
  return timed({ kind: 'time', of: 'repeat', until: dueAt, missed }, SCHEDULED);
}

function timed(
  cause: Cause & { readonly until: EpochMs },
  fields: Pick<Obstacle, 'state' | 'waitsFor' | 'atLimit'>,
): Timed {
  return { ...fields, cause, until: cause.until };
}

/** Returns the quiet hours that keep a task of this priority from starting; null: none. */
export function findQuietObstacle({ definition }: TaskView, world: World): Obstacle | null {
  const { settings, now, timeZone } = world;
  if (settings.quietHours.length === 0) return null;
  const priority = ownPriority(definition, settings);
  const quiet = findQuiet(settings.quietHours, priority, now, timeZone);
  return quiet === null ? null : quietObstacleOf(quiet, priority);
}

/** Returns quiet hours as an obstacle: for all tasks, or for those of a priority. */
export function quietObstacleOf({ until, isForAll }: Quiet, priority?: Priority): Obstacle {
  const scope = isForAll || priority === undefined ? {} : { priority };
  const cause: Cause = { kind: 'quiet', ...scope, until };
  return { ...QUIET, cause, ...(until === null ? {} : { until }) };
}

const QUIET = { state: 'waiting', waitsFor: 'schedule' } as const;
