import type { World } from '../domain/explain';
import { isFull, tellRunning } from '../domain/explainQueue';
import { effectivePriorityOf, inServingOrder, isWanted } from '../domain/order';
import { ownPriority } from '../domain/spareLane';
import type { TaskId } from '../domain/task';
import type { EnlistedWorker, TaskView } from '../domain/view';

/**
 * For each of these tasks, which only wait for a free slot, its place in line: `2nd in line for pool low (4 of 4 running)`.
 * Empty for a queue without pools, and for a task that a worker with a free slot takes.
 */
export function describePlaces(
  waiting: readonly TaskView[],
  world: World,
  workers: readonly EnlistedWorker[],
): ReadonlyMap<TaskId, string> {
  const places = new Map<TaskId, string>();
  const { pools, maxRunning } = world.settings;
  const full = isFull(world) ? tellRunning(world.queue.claims.length, maxRunning) : null;
  // A worker of no pool takes every task.
  if (full === null && workers.some(({ owner }) => owner.pool === undefined)) return places;
  const free = new Set<TaskId>();
  for (const [name, { priorities, max }] of pools) {
    const running = countRunning(name, world);
    const choice = priorities === undefined ? {} : { priorities };
    const taken = waiting.filter((task) => isTakenBy(task, world, choice));
    if (full === null && running < max) taken.forEach(({ definition }) => free.add(definition.id));
    inServingOrder(taken, world).forEach(({ definition }, index) => {
      if (places.has(definition.id)) return;
      const busy = full ?? tellRunning(running, max);
      places.set(definition.id, `${ordinal(index + 1)} in line for pool ${name} (${busy})`);
    });
  }
  free.forEach((id) => places.delete(id));
  return places;
}

function countRunning(pool: string, { queue }: World): number {
  return queue.claims.filter(({ owner }) => owner.kind === 'process' && owner.pool === pool).length;
}

function isTakenBy(task: TaskView, world: World, choice: Parameters<typeof isWanted>[2]): boolean {
  const { byId, settings, now } = world;
  const effective = effectivePriorityOf(task, byId, settings, now);
  return isWanted(ownPriority(task.definition, settings), effective, choice);
}

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const RULES = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(place: number): string {
  return `${String(place)}${SUFFIXES[RULES.select(place)] ?? 'th'}`;
}
