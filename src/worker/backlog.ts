import { createWorld } from '../domain/reasons/world';
import { hasMoreReady } from '../domain/order/order';
import { buildClaimRequest, type WorkerDeps } from './workerDeps';

/** Returns whether more than `than` tasks are ready for this worker. */
export async function isMoreReady(deps: WorkerDeps, than: number): Promise<boolean> {
  const request = await buildClaimRequest(deps, {});
  const world = createWorld({
    ...request,
    queue: await deps.queue.read(),
    now: deps.clock.now(),
    machine: deps.owner.machine,
  });
  return hasMoreReady(world, request, than);
}
