import type { Verdict } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { Idle, ClaimRequest } from '../queue/taskQueue';
import { DiffChain } from './attempt/diffChain';
import { admitOrRelease } from './attempt/mayStart';
import { ChangeSignal } from './changeSignal';
import { type Bounds, Meter, withMeter } from './bounds/bounds';
import { Preemptions } from './preemptions';
import { WorkerLoop } from './workerLoop';
import { recoverLost } from './attempt/lostAttempts';
import { notifyMeanwhile } from './notifyMeanwhile';
import { claimReady, type WorkerDeps } from './workerDeps';
import { runAttempt } from './attempt/runAttempt';
import { skippedAsUnchanged } from './attempt/skipUnchanged';
import { removeLeftovers } from './attempt/verifyBefore';
import type { RunSummary } from './bounds/runSummary';

/**
 * Claims and runs tasks until a limit is reached or `stop` is aborted. Waits for usage limits, due times and other
 * workers.
 * A limit that is reached pauses the queue. The pause of an earlier run's limits is lifted first, unless a timer
 * started this run. `preemptions` knows attempts that run besides those that are started here.
 */
export async function work(
  deps: WorkerDeps,
  bounds: Bounds,
  stop: AbortSignal,
  preemptions = new Preemptions(),
): Promise<RunSummary> {
  const over = new AbortController();
  const changeSignal = new ChangeSignal();
  const meter = new Meter(bounds);
  const ring = (): void => {
    changeSignal.ring();
  };
  deps.queue.watch(ring, AbortSignal.any([over.signal, stop]));
  try {
    if (!stop.aborted && bounds.scheduled !== true) await liftBoundsHold(deps);
    const summary = await new WorkerLoop(withMeter(deps, meter), {
      bounds,
      meter,
      changeSignal,
      stop,
      preemptions,
    }).work();
    await pruneTrees(deps);
    return summary;
  } finally {
    over.abort();
  }
}

/** Removes the trees of attempts that are no longer in the history. */
async function pruneTrees({ queue, keptTrees, clock, events, describeError }: WorkerDeps): Promise<void> {
  try {
    await keptTrees?.prune(await queue.attempts({}), clock.now());
  } catch (error) {
    events.trouble(`The changes of old attempts could not be removed: ${describeError(error)}`);
  }
}

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
    if (next.kind === 'idle') return next;
    // If the gate admitted another task first, the next claim returns that reason.
    if (await admitOrRelease({ ...deps, isSingle: true }, next, stop)) {
      // The user wants a task that they name to run in any case.
      if (choice.id === undefined && (await skippedAsUnchanged(deps, next, stop))) continue;
      const diffs = new DiffChain(deps.measureDiff);
      const link = { wantsNext: () => false, diffs };
      const run = runAttempt({ ...deps, isSingle: true }, next, stop, link).finally(() => diffs.drop());
      const single = await notifyMeanwhile(deps, run);
      await deps.notices?.finish();
      return single;
    }
  }
}

/** Lifts a pause by the limits of an earlier run: it does not bind a new run. A pause by the user stays. */
async function liftBoundsHold({ queue, createId, events }: WorkerDeps): Promise<void> {
  const { holds } = await queue.read();
  const ofBounds = holds.filter(({ by }) => by === 'bounds');
  if (ofBounds.length === 0) return;
  await queue.resume(createId(), { by: 'bounds' });
  for (const hold of ofBounds) events.lifted(hold);
}
