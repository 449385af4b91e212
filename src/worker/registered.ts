import type { Registration } from '../queue/taskQueue';
import type { WorkerDeps } from './workerDeps';

/** Result of a registration that found another worker where the caller wanted to be alone. */
export type AlreadyRegistered = Extract<Registration, { readonly kind: 'taken' }>;

/**
 * Runs `work` while the worker is registered with the queue. Returns its result, or the worker that is already
 * registered.
 */
export async function whileRegistered<T>(
  deps: WorkerDeps,
  how: { readonly alone: boolean },
  work: () => Promise<T>,
): Promise<T | AlreadyRegistered> {
  const { queue, owner, since, createId } = deps;
  const registering = await queue.register({ owner, since }, how, createId());
  if (registering.kind === 'taken') return registering;
  try {
    return await work();
  } finally {
    await leave(deps);
  }
}

async function leave({ queue, owner, createId, events, describeError }: WorkerDeps): Promise<void> {
  try {
    await queue.leave(owner, createId());
  } catch (error) {
    // The result counts all the same. Once this process has ended, it no longer counts as a running worker.
    events.trouble(`The end of this worker could not be written: ${describeError(error)}`);
  }
}
