import { pick } from '../domain/pick';
import type { RegisteredWorker, WorkerChoice } from '../domain/queue/view';
import type { Registration } from '../queue/taskQueue';
import { ONE_SLOT, type WorkerDeps } from './workerDeps';

/** Another worker of the pool is registered, and the caller asked to be alone. */
export type AlreadyRegistered = Extract<Registration, { readonly kind: 'taken' }>;

/** Result of the work, or the worker that is already registered. */
export type RegisteredResult<T> = { readonly kind: 'ended'; readonly result: T } | AlreadyRegistered;

/** Runs `work` while the worker is registered with the queue. */
export async function whileRegistered<T>(
  deps: WorkerDeps,
  how: { readonly alone: boolean },
  work: () => Promise<T>,
): Promise<RegisteredResult<T>> {
  const { queue, createId } = deps;
  const registering = await queue.register(describeWorker(deps), how, createId());
  if (registering.kind === 'taken') return registering;
  try {
    return { kind: 'ended', result: await work() };
  } finally {
    await leave(deps);
  }
}

/** Returns what a worker registers of itself. */
export function describeWorker({
  owner,
  since,
  choice = {},
  byTimer,
  slots = ONE_SLOT,
}: Pick<WorkerDeps, 'owner' | 'since' | 'choice' | 'byTimer' | 'slots'>): RegisteredWorker {
  const takes: WorkerChoice = pick(choice, ['priorities', 'tags', 'users', 'stealFrom']);
  return {
    ...{ owner, since },
    ...(Object.keys(takes).length === 0 ? {} : { takes }),
    ...(byTimer === true ? { byTimer } : {}),
    ...(slots.max === 1 ? {} : { slots }),
  };
}

async function leave({ queue, owner, createId, events, describeError }: WorkerDeps): Promise<void> {
  try {
    await queue.leave(owner, createId());
  } catch (error) {
    // The result counts all the same. Once this process has ended, it no longer counts as a running worker.
    events.trouble(`The end of this worker could not be written: ${describeError(error)}`);
  }
}
