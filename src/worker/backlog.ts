import { createWorld } from '../domain/world';
import { hasMoreReady } from '../domain/order';
import { describeWant, type WorkerParts } from './parts';

/** Whether more tasks are ready for this worker than this many. */
export async function isMoreReady(parts: WorkerParts, than: number): Promise<boolean> {
  const want = await describeWant(parts, {});
  const world = createWorld({ ...want, queue: await parts.queue.read(), now: parts.clock.now() });
  return hasMoreReady(world, want, than);
}
