import type { Verdict } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { Idle, Want } from '../queue/taskQueue';
import { mayBegin } from './attempt/mayStart';
import { Bell } from './changeSignal';
import { type Bounds, Meter, withMeter } from './bounds/bounds';
import { Crew } from './workerLoop';
import { tendLostRuns } from './attempt/lostRuns';
import { notifyMeanwhile } from './notifyMeanwhile';
import { describeWant, type WorkerParts } from './workerDeps';
import { runTask } from './attempt/runTask';
import type { Stretch } from './bounds/runSummary';

/**
 * Claims, runs and finishes until the bounds or a stop; waits out limits, times and other workers by itself. A bound
 * that is reached holds the queue; a queue that an earlier stretch left so goes on, unless a timer began this one.
 */
export async function work(parts: WorkerParts, bounds: Bounds, stop: AbortSignal): Promise<Stretch> {
  const over = new AbortController();
  const bell = new Bell();
  const meter = new Meter(bounds);
  const ring = (): void => {
    bell.ring();
  };
  parts.queue.watch(ring, AbortSignal.any([over.signal, stop]));
  try {
    if (!stop.aborted && bounds.scheduled !== true) await liftBoundsHold(parts);
    return await new Crew(withMeter(parts, meter), { bounds, meter, bell, stop }).work();
  } finally {
    over.abort();
  }
}

/** What one task, run now, came to: an attempt, or the reason why none was begun. */
export type Single = { readonly verdict: Verdict; readonly change: Change } | Idle | null;

/** Runs one task now, to its end; null when its claim was lost meanwhile. */
export async function runOne(
  parts: WorkerParts,
  choice: Pick<Want, 'id' | 'override'>,
  stop: AbortSignal,
): Promise<Single> {
  await tendLostRuns(parts);
  await liftBoundsHold(parts);
  for (;;) {
    const next = await parts.queue.claim(await describeWant(parts, choice), parts.createId());
    if (next.kind === 'idle') return next;
    // Where somebody else went first, at this very moment, the queue says so when it is asked again.
    if (await mayBegin({ ...parts, isSingle: true }, next, stop)) {
      const run = runTask({ ...parts, isSingle: true }, next, stop, () => false);
      const single = await notifyMeanwhile(parts, run);
      await parts.notices?.finish();
      return single;
    }
  }
}

/** An earlier stretch of work that was to end does not bind one that somebody begins anew. A person's hold stays. */
async function liftBoundsHold({ queue, createId, events }: WorkerParts): Promise<void> {
  const { holds } = await queue.read();
  const ofBounds = holds.filter(({ by }) => by === 'bounds');
  if (ofBounds.length === 0) return;
  await queue.resume(createId(), { by: 'bounds' });
  for (const hold of ofBounds) events.lifted(hold);
}
