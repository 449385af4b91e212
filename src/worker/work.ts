import { ChangeSignal } from './changeSignal';
import { type Bounds, Meter, withMeter } from './bounds/bounds';
import { Preemptions } from './preemptions';
import { WorkerLoop } from './workerLoop';
import { liftBoundsHold } from './liftBoundsHold';
import type { WorkerDeps } from './workerDeps';
import type { RunSummary } from './bounds/runCounters';

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
