import type { StopHow } from '../../queue/taskQueue';
import type { Bounds } from './bounds';
import type { WorkerDeps } from '../workerDeps';
import type { RunSummary } from './runSummary';
import { work } from '../worker';

/** How often is looked for windows. */
const LOOK_MS = 2_000;

/** A worker's life beside editor windows. */
export interface WindowRule {
  /** How it stops when the last one has gone. */
  readonly how: StopHow;
  /** Whether any editor window has this queue open. */
  readonly isOpen: () => Promise<boolean>;
}

/** Works until the bounds, a stop, or the end of the last window; this worker alone is stopped by that. */
export async function workWithWindows(
  deps: WorkerDeps,
  bounds: Bounds,
  { how, isOpen }: WindowRule,
  stop: AbortSignal,
): Promise<RunSummary> {
  const gone = new AbortController();
  const over = new AbortController();
  const watching = untilWindowsGone(deps, isOpen, over.signal).then(() => {
    if (over.signal.aborted) return;
    deps.events.windowsGone(how);
    gone.abort();
  });
  try {
    return how === 'now'
      ? await work(deps, bounds, AbortSignal.any([stop, gone.signal]))
      : await work(deps, { ...bounds, drainSignal: gone.signal }, stop);
  } finally {
    over.abort();
    await watching;
  }
}

/**
 * Resolves when there has been no window for the grace, or at `over`. Counted in looks and not by the time of day: a
 * suspended machine's windows have not been gone for the night.
 */
async function untilWindowsGone(
  { clock, rules, events, describeError }: WorkerDeps,
  isOpen: WindowRule['isOpen'],
  over: AbortSignal,
): Promise<void> {
  let reported = false;
  let goneMs = 0;
  for (;;) {
    await clock.sleep(LOOK_MS, over);
    if (over.aborted) return;
    let isThere = true;
    try {
      isThere = await isOpen();
    } catch (error) {
      // Nobody is known to have gone: the worker continues.
      if (!reported) events.trouble(`The open windows could not be determined: ${describeError(error)}`);
      reported = true;
    }
    goneMs = isThere ? 0 : goneMs + LOOK_MS;
    if (!isThere && goneMs >= rules.last.settings.windowGrace) return;
  }
}
