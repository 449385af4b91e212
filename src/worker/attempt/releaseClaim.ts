import type { SkippedRun } from '../../domain/time/unchangedTree';
import { Fenced, isProblem, type ProblemReason } from '../../domain/problem';
import type { Claimed } from '../../queue/taskQueue';
import type { WorkerDeps } from '../workerDeps';
import { RetryUntilWritten } from '../retryUntilWritten';
import { returnAdmission, requestAdmission } from './admission';

/** Returns whether the account's gate admits the claimed task now. Releases the claim if not. */
export async function admitOrRelease(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
): Promise<boolean> {
  const isAdmitted = await requestAdmission(deps, claimed);
  if (!isAdmitted) await releaseClaim(deps, claimed, stop);
  return isAdmitted;
}

/**
 * Reasons for which a task does not start now. It is due again a minute later, not at once: with very many files or
 * folders, some time passes until the queue sees that they changed, and the same claim would be made again and again.
 */
const NOT_NOW: readonly ProblemReason[] = ['folder-moved', 'prompt-changed', 'undo-running'];

/** Releases the claim of a task that an error kept from starting. Returns whether it only cannot start now. */
export async function releaseUnstarted(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
  error: unknown,
): Promise<boolean> {
  const isNotNow = isProblem(error) && NOT_NOW.includes(error.reason);
  await releaseClaim(deps, claimed, stop, isNotNow ? 'postponed' : undefined);
  return isNotNow;
}

/**
 * Releases a claim without an attempt, and returns its admission at the account's gate. With `skip`, nothing has changed
 * since its last success, or the task cannot start for a while.
 */
export async function releaseClaim(
  deps: WorkerDeps,
  claimed: Claimed,
  stop: AbortSignal,
  skip?: SkippedRun | 'postponed',
): Promise<void> {
  try {
    const op = deps.createId();
    const release = (): Promise<void> =>
      typeof skip === 'object'
        ? deps.queue.release(claimed.claim, 'unchanged', op, skip)
        : deps.queue.release(claimed.claim, skip ?? 'stopped', op);
    await new RetryUntilWritten(deps, stop, 'The return of the task').untilWritten(release);
  } catch (error) {
    // Another owner has the claim: there is nothing to release.
    if (!(error instanceof Fenced)) throw error;
  }
  await returnAdmission(deps, claimed);
}
