import { QueueContext } from '../../../app/context/queueContext';
import { Problem } from '../../../domain/problem';
import { USUAL_QUEUE } from '../../../queue/queuePaths';
import type { ExtensionServices } from '../../state/extensionServices';
import { createEditorHost } from '../../state/editorHost';
import { t } from '../../../platform/text/translate';

/**
 * Returns a context for the workspace's queue without opening it: the queue may be unreadable.
 * @throws Problem `queue-missing`
 */
export async function locateQueue(services: ExtensionServices): Promise<QueueContext> {
  const { queueFile, redis, folder, settings, log } = services;
  if (queueFile === null && redis === null)
    throw new Problem('queue-missing', t('Open a folder first: the queue is kept in it.'));
  const env = { ...settings.environment(), ...(await redis?.environment()) };
  const host = createEditorHost(env, folder, (message) => {
    log.warn(message);
  });
  const place = redis === null ? {} : { redis: redis.address };
  return new QueueContext({ queue: queueFile ?? USUAL_QUEUE, ...place }, host);
}
