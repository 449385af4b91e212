import type { WorkerDeps } from './workerDeps';

/** Interval between looks for notices, in ms. Notices that are due by time alone are shown at most that late. */
const LOOK_AGAIN_MS = 5_000;

/**
 * Looks for notices until `work` settles, and returns its result. For work beside which nothing else looks for them.
 */
export async function notifyMeanwhile<T>(
  { clock, notices }: Pick<WorkerDeps, 'clock' | 'notices'>,
  work: Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      notices?.look();
      await clock.sleep(LOOK_AGAIN_MS, over.signal);
    }
  })();
  try {
    return await work;
  } finally {
    over.abort();
    await looking;
  }
}
