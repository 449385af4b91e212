import type { SharedQueue } from '../../queue/sharedQueue';
import type { QueueContext } from './queueContext';

/** Opens the queue in Redis for this work and closes it afterwards. @throws Problem as `openShared` */
export async function withShared<T>(
  queueContext: QueueContext,
  work: (queue: SharedQueue) => Promise<T>,
): Promise<T> {
  const queue = await queueContext.openShared();
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
