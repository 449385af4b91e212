import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Removes rows from the queue file, all or none; their history stays.
 * @throws Problem `inside-run`, `no-such-task`, `already-running`, `usage` if a row that stays depends on one
 */
export async function removeTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  ids: readonly TaskId[],
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'remove tasks');
  await queue.remove(ids, queueContext.host.createId());
}
