import type { ExtensionServices } from '../state/extensionServices';
import type { Queues } from '../state/queues';

/** Returns the services of the open queue with this key (`queueKey`). */
export async function findQueueOf(queues: Queues, key: string): Promise<ExtensionServices | undefined> {
  const { queueKey } = await import('../../account/approvals');
  for (const { services } of queues.all) {
    if (!['ready', 'opening'].includes(services.queueModel.state.kind)) continue;
    const { queueContext } = await services.queueModel.useQueue();
    if (queueKey(queueContext.queueFile) === key) return services;
  }
  return undefined;
}
