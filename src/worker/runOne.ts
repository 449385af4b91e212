import type { Verdict } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { ClaimRequest, Idle } from '../queue/taskQueue';
import { DiffChain } from './attempt/diffChain';
import { recoverLost } from './attempt/lostAttempts';
import { admitOrRelease } from './attempt/releaseClaim';
import { runAttempt } from './attempt/runAttempt';
import { skipIfUnchanged } from './attempt/skipUnchanged';
import { removeLeftovers } from './attempt/verifyBefore';
import { liftBoundsHold } from './liftBoundsHold';
import { notifyMeanwhile } from './notifyMeanwhile';
import { claimReady, type WorkerDeps } from './workerDeps';

/**
 * Result of one task that was run now: an attempt, or the reason why none was started. Null if the claim was lost or
 * released.
 */
export type Single = { readonly verdict: Verdict; readonly change: Change } | Idle | null;

/** Runs one task now, to its end. Returns null if its claim was lost or released meanwhile. */
export async function runOne(
  deps: WorkerDeps,
  choice: Pick<ClaimRequest, 'id' | 'override'>,
  stop: AbortSignal,
): Promise<Single> {
  await recoverLost(deps);
  await removeLeftovers(deps);
  await liftBoundsHold(deps);
  for (;;) {
    const next = await claimReady(deps, choice);
    if (next.kind === 'idle') {
      // A claim that finds nothing may raise the end of the queue.
      await deps.notices?.finish();
      return next;
    }
    // If the gate admitted another task first, the next claim returns that reason.
    if (await admitOrRelease({ ...deps, isSingle: true }, next, stop)) {
      // The user wants a task that they name to run in any case.
      if (choice.id === undefined && (await skipIfUnchanged(deps, next, stop))) continue;
      const diffs = new DiffChain(deps.measureDiff);
      const link = { reserveNext: () => false, diffs };
      const run = runAttempt({ ...deps, isSingle: true }, next, stop, link).finally(() => diffs.drop());
      const single = await notifyMeanwhile(deps, run);
      await deps.notices?.finish();
      return single;
    }
  }
}
