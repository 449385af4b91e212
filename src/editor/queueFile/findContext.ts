import type { QueueContext } from '../../app/context/queueContext';
import type { ExtensionServices } from '../state/extensionServices';

/**
 * Returns a context in which the rows of the queue file can be read; null if there is no queue, or it is still opened. A
 * queue that cannot be opened, for example because of a foreign history, has one too.
 */
export async function findContext(services: ExtensionServices): Promise<QueueContext | null> {
  const { queueModel } = services;
  if (queueModel.state.kind === 'ready') return (await queueModel.useQueue()).queueContext;
  if (queueModel.state.kind !== 'failing') return null;
  const { locateQueue } = await import('../commands/queue/closedQueue');
  const queueContext = await locateQueue(services);
  await queueContext.configure();
  return queueContext;
}
