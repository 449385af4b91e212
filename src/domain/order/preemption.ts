import { explain, isReadyForRoom } from '../reasons/explain';
import { explainPlace } from '../reasons/explainQueue';
import type { FoundByKind } from '../reasons/explainWait';
import { createWorld, type World } from '../reasons/world';
import { PRIORITIES } from '../task/priority';
import type { EpochMs } from '../time/epoch';
import type { TaskId } from '../task/task';
import type { Claim, TaskView } from '../queue/view';
import { takes, type Choice } from './choice';
import { isLeftover, ownPriority } from './leftoverCapacity';
import { inServingOrder } from './order';

/** An attempt to stop, so that a critical task can start in its place. */
export interface Preemption {
  readonly urgent: TaskId;
  readonly stopped: Claim;
  /**
   * Room may come without it: another worker may have a slot or an attempt that is rather to be stopped, or an attempt
   * is being cancelled. Stop it only if the task keeps waiting.
   */
  readonly isLastResort: boolean;
}

/** State of a worker that looks for room. */
export interface WorkerRoom {
  /** Marks of its attempts that may be stopped. */
  readonly stoppable: ReadonlySet<string>;
  /** It runs as many tasks as it may. */
  readonly isFull: boolean;
  /** Other workers are running. */
  readonly hasOthers: boolean;
  /** Critical tasks for which it stops nothing. */
  readonly except: ReadonlySet<TaskId>;
}

/**
 * Returns the attempt that the worker stops for a critical task; null: none. The task is ready, and only lacks a slot or
 * its directory. Of the attempts whose end would give it room, the one with the lowest class is stopped, and of several
 * the last one that started. Critical tasks and tasks of the user are never stopped.
 */
export function findPreemption(world: World, choice: Choice, room: WorkerRoom): Preemption | null {
  if (room.stoppable.size === 0) return null;
  const urgent = findUrgent(world, choice).filter(({ definition }) => !room.except.has(definition.id));
  for (const task of inServingOrder(urgent, world)) {
    const found = findFor(task, world, room);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a critical task may start at once for which attempts would be stopped. */
export function isUrgentReady(world: World, choice: Choice): boolean {
  return findUrgent(world, choice).some((task) => explainPlace(task, world) === null);
}

/** Returns when a critical task may lack nothing but room by time alone, if nothing else changes; null: never. */
export function nextUrgentAt(world: World, choice: Choice): EpochMs | null {
  const found: FoundByKind = new Map();
  const times = listCritical(world, choice).map((task) => explain(task, world, {}, found).until ?? Infinity);
  const next = Math.min(...times.filter((time) => time > world.now));
  return next === Infinity ? null : next;
}

/** Returns the critical tasks that a claimer takes and that lack nothing but room. */
function findUrgent(world: World, choice: Choice): readonly TaskView[] {
  const found: FoundByKind = new Map();
  return listCritical(world, choice).filter((task) => isReadyForRoom(task, world, found));
}

/** Returns the critical tasks that a claimer takes; none where nothing is stopped for them. */
function listCritical({ queue, settings }: World, choice: Choice): readonly TaskView[] {
  if (settings.preempt !== 'critical') return [];
  return queue.tasks.filter(
    (task) =>
      ownPriority(task.definition, settings) === 'critical' && takes(choice, task, 'critical', settings),
  );
}

function findFor(task: TaskView, world: World, room: WorkerRoom): Preemption | null {
  const hasPlace = explainPlace(task, world) === null;
  if (hasPlace && !room.isFull) return null;
  const isOwn = ({ mark }: Claim): boolean => room.stoppable.has(mark);
  const givesRoom = (claim: Claim): boolean =>
    hasPlace ? isOwn(claim) : explainPlace(task, without(claim, world)) === null;
  const fitting = listLower(world).filter(givesRoom);
  const stopped = fitting.find((claim) => isOwn(claim) && claim.cancelled !== true);
  if (stopped === undefined) return null;
  const isLastResort = stopped !== fitting[0] || (hasPlace && room.hasOthers);
  return { urgent: task.definition.id, stopped, isLastResort };
}

/** Returns the attempts that may be stopped for a critical task, in the order in which they would be. */
function listLower(world: World): readonly Claim[] {
  return world.queue.claims
    .flatMap((claim) => {
      const rank = rankOf(claim, world);
      return rank === null ? [] : [{ claim, rank }];
    })
    .sort((a, b) => (a.rank === b.rank ? newestFirst(a.claim, b.claim) : b.rank - a.rank))
    .map(({ claim }) => claim);
}

function newestFirst(a: Claim, b: Claim): number {
  return b.at - a.at || b.token - a.token;
}

/** Returns the class of an attempt as a number that is higher for a lower class; null: it is not stopped. */
function rankOf(claim: Claim, { byId, settings }: World): number | null {
  const { id, owner, ownerDied, cancelled, priority } = claim;
  if (owner.kind === 'person' || ownerDied === true) return null;
  if (cancelled === true) return Infinity;
  const definition = byId.get(id)?.definition;
  const own = definition === undefined ? undefined : ownPriority(definition, settings);
  const effective = priority ?? own;
  // The user may have raised its priority since.
  if (effective === undefined || effective === 'critical' || own === 'critical') return null;
  const isLast = definition !== undefined && isLeftover(definition, settings);
  return 2 * PRIORITIES.indexOf(effective) + (isLast ? 1 : 0);
}

function without(claim: Claim, world: World): World {
  const claims = world.queue.claims.filter((other) => other !== claim);
  return createWorld({ ...world, queue: { ...world.queue, claims } }, world.byId);
}
