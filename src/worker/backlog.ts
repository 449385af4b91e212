import { createWorld, explain } from '../domain/explain';
import { effectivePriorityOf, isWanted } from '../domain/order';
import { ownPriority } from '../domain/spareLane';
import { describeWant, type WorkerParts } from './parts';

/** Whether more tasks are ready for this worker than this many. */
export async function isMoreReady(parts: WorkerParts, than: number): Promise<boolean> {
  const want = await describeWant(parts, {});
  const world = createWorld({ ...want, queue: await parts.queue.read(), now: parts.clock.now() });
  let ready = 0;
  for (const task of world.queue.tasks) {
    const { settings, byId, now } = world;
    const effective = effectivePriorityOf(task, byId, settings, now);
    if (!isWanted(ownPriority(task.definition, settings), effective, want)) continue;
    if (explain(task, world).shown !== 'ready') continue;
    ready += 1;
    if (ready > than) return true;
  }
  return false;
}
