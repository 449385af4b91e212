import type { Registration } from '../queue/taskQueue';
import type { WorkerDeps } from './workerDeps';

/** Who is running already where a worker wanted to be alone. */
export type AlreadyRegistered = Extract<Registration, { readonly kind: 'taken' }>;

/** Works as a worker that the queue knows of, from before its first task until after its last. */
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
    // What the work came to counts all the same, and once this process has ended nobody takes it for a worker.
    events.trouble(`The end of this worker could not be written: ${describeError(error)}`);
  }
}
