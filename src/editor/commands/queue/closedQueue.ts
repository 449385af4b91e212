import * as path from 'node:path';
import { QueueContext } from '../../../app/context/queueContext';
import { Problem } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';
import { createEditorHost } from '../../state/editorHost';

/**
 * Returns a context for the workspace's queue without opening it: the queue may be unreadable.
 * @throws Problem `queue-missing`
 */
export function locateQueue({ queueFile, settings, log }: ExtensionServices): QueueContext {
  if (queueFile === null) throw new Problem('queue-missing', 'Open a folder first: the queue is kept in it.');
  const host = createEditorHost(settings.environment(), path.dirname(queueFile), (message) => {
    log.warn(message);
  });
  return new QueueContext({ queue: queueFile }, host);
}
