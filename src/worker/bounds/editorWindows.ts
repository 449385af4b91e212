import type { StopHow } from '../../domain/queue/workerStop';
import type { Bounds } from './bounds';
import type { WorkerDeps } from '../workerDeps';
import type { RunSummary } from './runCounters';
import { work } from '../work';

/** Interval between looks for editor windows, in ms. */
const LOOK_MS = 2_000;

/** Rule that ends a worker with the last editor window. */
export interface WindowRule {
  /** Way to stop once the last window has gone. */
  readonly how: StopHow;
  /** Whether any editor window has this queue open. */
  readonly isOpen: () => Promise<boolean>;
}

/** Works until a limit, a stop or the end of the last window. The last window's end stops this worker only. */
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
 * Resolves when no window was open for the grace period, or when `over` is aborted. Counts looks rather than time:
 * while the machine sleeps, no window has gone.
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
      // No window is known to have gone: the worker continues.
      if (!reported) events.trouble(`The open windows could not be determined: ${describeError(error)}`);
      reported = true;
    }
    goneMs = isThere ? 0 : goneMs + LOOK_MS;
    if (!isThere && goneMs >= rules.last.settings.windowGrace) return;
  }
}
