import type { WorkerDeps } from './workerDeps';

/** Time between two looks for notices: what time alone brings is shown no later than that. */
const LOOK_AGAIN_MS = 5_000;

/** Looks for notices until the work ends, and returns what it comes to: for work that nothing else looks beside. */
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
