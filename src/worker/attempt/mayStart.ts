import { Fenced } from '../../domain/problem';
import type { Claimed } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';
import { RetryUntilWritten } from '../retryUntilWritten';
import { returnAdmission, requestAdmission } from './admission';

/** Whether the account's gate lets the claimed task start now; one that it does not is given back unrun. */
export async function admitOrRelease(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
): Promise<boolean> {
  const isAdmitted = await requestAdmission(deps, claimed);
  if (!isAdmitted) await releaseClaim(deps, claimed, stop);
  return isAdmitted;
}

/** Gives a task back unrun, and with it the turn that it may have at the account's gate. */
export async function releaseClaim(deps: WorkerDeps, claimed: Claimed, stop: AbortSignal): Promise<void> {
  try {
    const release = (): Promise<void> => deps.queue.release(claimed.claim, 'stopped', deps.createId());
    await new RetryUntilWritten(deps, stop, 'The return of the task').untilWritten(release);
  } catch (error) {
    // Another owner has it: there is nothing left to give back.
    if (!(error instanceof Fenced)) throw error;
  }
  await returnAdmission(deps, claimed);
}
