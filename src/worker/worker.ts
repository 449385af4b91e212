import type { Verdict } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { Idle, ClaimRequest } from '../queue/taskQueue';
import { admitOrRelease } from './attempt/mayStart';
import { ChangeSignal } from './changeSignal';
import { type Bounds, Meter, withMeter } from './bounds/bounds';
import { WorkerLoop } from './workerLoop';
import { tendLostRuns } from './attempt/lostRuns';
import { notifyMeanwhile } from './notifyMeanwhile';
import { buildClaimRequest, type WorkerDeps } from './workerDeps';
import { runTask } from './attempt/runTask';
import type { RunSummary } from './bounds/runSummary';

/**
 * Claims, runs and finishes until the bounds or a stop; waits out limits, times and other workers by itself. A bound
 * that is reached holds the queue; a queue that an earlier stretch left so continues, unless a timer started this one.
 */
export async function work(deps: WorkerDeps, bounds: Bounds, stop: AbortSignal): Promise<RunSummary> {
  const over = new AbortController();
  const changeSignal = new ChangeSignal();
  const meter = new Meter(bounds);
  const ring = (): void => {
    changeSignal.ring();
  };
  deps.queue.watch(ring, AbortSignal.any([over.signal, stop]));
  try {
    if (!stop.aborted && bounds.scheduled !== true) await liftBoundsHold(deps);
    return await new WorkerLoop(withMeter(deps, meter), { bounds, meter, changeSignal, stop }).work();
  } finally {
    over.abort();
  }
}

/** What one task, run now, came to: an attempt, or the reason why none was started. */
export type Single = { readonly verdict: Verdict; readonly change: Change } | Idle | null;

/** Runs one task now, to its end; null when its claim was lost meanwhile. */
export async function runOne(
  deps: WorkerDeps,
  choice: Pick<ClaimRequest, 'id' | 'override'>,
  stop: AbortSignal,
): Promise<Single> {
  await tendLostRuns(deps);
  await liftBoundsHold(deps);
  for (;;) {
    const next = await deps.queue.claim(await buildClaimRequest(deps, choice), deps.createId());
    if (next.kind === 'idle') return next;
    // Where somebody else went first, at this very moment, the queue says so when it is asked again.
    if (await admitOrRelease({ ...deps, isSingle: true }, next, stop)) {
      const run = runTask({ ...deps, isSingle: true }, next, stop, () => false);
      const single = await notifyMeanwhile(deps, run);
      await deps.notices?.finish();
      return single;
    }
  }
}

/** An earlier stretch of work that was to end does not bind one that somebody starts over. The user's hold stays. */
async function liftBoundsHold({ queue, createId, events }: WorkerDeps): Promise<void> {
  const { holds } = await queue.read();
  const ofBounds = holds.filter(({ by }) => by === 'bounds');
  if (ofBounds.length === 0) return;
  await queue.resume(createId(), { by: 'bounds' });
  for (const hold of ofBounds) events.lifted(hold);
}
