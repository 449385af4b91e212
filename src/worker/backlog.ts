import { createWorld, type World } from '../domain/reasons/world';
import { hasMoreReady } from '../domain/order/order';
import { isUrgentReady } from '../domain/order/preemption';
import type { ClaimRequest } from '../queue/taskQueue';
import type { Stopping } from '../domain/queue/workerStop';
import { buildClaimRequest, type WorkerDeps } from './workerDeps';

/** A queue as a worker that asks for a task sees it. */
interface LookedAt {
  readonly request: ClaimRequest;
  readonly world: World;
  readonly queue: Stopping;
}

/** Reads the queue as this worker sees it. @throws Problem `settings-invalid` */
export async function lookAtQueue(deps: WorkerDeps): Promise<LookedAt> {
  const request = await buildClaimRequest(deps, {});
  const queue = await deps.queue.read();
  const world = createWorld({
    ...request,
    queue,
    now: deps.clock.now(),
    machine: deps.owner.machine,
  });
  return { request, world, queue };
}

/** Returns whether a worker that runs this number of tasks needs one more slot: more are ready, or a critical one is. */
export async function needsSlot(deps: WorkerDeps, running: number): Promise<boolean> {
  const { request, world } = await lookAtQueue(deps);
  return hasMoreReady(world, request, running) || isUrgentReady(world, request);
}
