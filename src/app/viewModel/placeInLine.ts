import type { World } from '../../domain/reasons/world';
import { isFull } from '../../domain/reasons/explainQueue';
import { takes, type Choice } from '../../domain/order/choice';
import { effectivePriorityOf } from '../../domain/order/effectivePriority';
import { inServingOrder } from '../../domain/order/order';
import type { Cause } from '../../domain/reasons/reason';
import type { TaskId } from '../../domain/task/task';
import type { RegisteredWorker, TaskView } from '../../domain/queue/view';

/**
 * Returns the place in line for a pool of each task that only waits for a free slot. Empty for a queue without pools,
 * and for a task that a worker with a free slot takes.
 */
export function findPlaces(
  waiting: readonly TaskView[],
  world: World,
  workers: readonly RegisteredWorker[],
): ReadonlyMap<TaskId, Cause> {
  const places = new Map<TaskId, Cause>();
  const { pools, maxRunning } = world.settings;
  const full = isFull(world) ? { running: countRunning(world), max: maxRunning } : null;
  // A worker without a pool takes every task.
  if (full === null && workers.some(({ owner }) => owner.pool === undefined)) return places;
  const free = new Set<TaskId>();
  for (const [name, { max, ...choice }] of pools) {
    const running = countRunning(world, name);
    const taken = waiting.filter((task) => isTakenBy(task, world, choice));
    if (full === null && running < max) taken.forEach(({ definition }) => free.add(definition.id));
    inServingOrder(taken, world).forEach(({ definition }, index) => {
      if (places.has(definition.id)) return;
      const busy = full ?? { running, max };
      places.set(definition.id, { kind: 'place-in-line', place: index + 1, pool: name, ...busy });
    });
  }
  free.forEach((id) => places.delete(id));
  return places;
}

/** Returns the number of tasks that workers have: those of a pool, or all. */
function countRunning({ queue }: World, pool?: string): number {
  return queue.claims.filter(
    ({ owner }) => owner.kind === 'process' && (pool === undefined || owner.pool === pool),
  ).length;
}

/** Whether a worker with this choice takes the task now. */
export function isTakenBy(task: TaskView, world: World, choice: Choice): boolean {
  const { byId, settings, now } = world;
  const effective = effectivePriorityOf(task, byId, settings, now);
  return takes(choice, task, effective, settings);
}
