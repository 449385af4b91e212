import type { MetricsAddress } from '../app/metrics/metricsServer';
import { describeError } from '../app/present/problems/problem';
import type { WorkerDeps } from '../worker/workerDeps';
import type { Context } from './context';

/**
 * Serves the metrics of the queue while `work` runs; without an address it only runs that.
 * @throws Problem `usage` if the address is not available
 */
export async function whileServing<T>(
  context: Context,
  { queue, gate, events }: Pick<WorkerDeps, 'queue' | 'gate' | 'events'>,
  address: MetricsAddress | null,
  work: () => Promise<T>,
): Promise<T> {
  if (address === null) return work();
  const [{ MetricsServer }, { takeMetrics }] = await Promise.all([
    import('../app/metrics/metricsServer'),
    import('../app/metrics/metrics'),
  ]);
  let lastReason = '';
  const server = await MetricsServer.start(address, {
    take: async () => {
      const text = await takeMetrics(context, queue, await gate.view());
      lastReason = '';
      return text;
    },
    failed: (error) => {
      const why = `The metrics could not be served: ${describeError(error)}`;
      if (why !== lastReason) events.trouble(why);
      lastReason = why;
    },
  });
  context.system.out(`Metrics: ${server.url}`);
  try {
    return await work();
  } finally {
    await server.close();
  }
}
