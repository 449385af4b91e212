import { createWorld } from '../domain/reasons/world';
import { hasMoreReady } from '../domain/order/order';
import { describeWant, type WorkerParts } from './workerDeps';

/** Whether more tasks are ready for this worker than this many. */
export async function isMoreReady(parts: WorkerParts, than: number): Promise<boolean> {
  const want = await describeWant(parts, {});
  const world = createWorld({ ...want, queue: await parts.queue.read(), now: parts.clock.now() });
  return hasMoreReady(world, want, than);
}
