import type { TaskId } from '../../../domain/task/task';
import type { RemovedRow } from '../../../queue/row/removedRow';
import type { SharedQueue } from '../../../queue/sharedQueue';
import type { TaskFields, TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Removes rows from the queue, all or none; their history stays. Returns the rows, for `restoreTasks`.
 * @throws Problem `inside-run`, `no-such-task`, `already-running`, `conflict` if a row that stays depends on one
 */
export async function removeTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  ids: readonly TaskId[],
): Promise<readonly RemovedRow[]> {
  await refuseInsideAttempt(queueContext, queue, 'remove tasks');
  return queue.remove(ids, queueContext.host.createId());
}

/**
 * Removes a row of a queue in Redis that no id names, and returns its texts by column.
 * @throws Problem `inside-run`, `conflict`, `already-running`
 */
export async function removeUnnamedRow(
  queueContext: QueueContext,
  queue: SharedQueue,
  row: number,
): Promise<TaskFields> {
  await refuseInsideAttempt(queueContext, queue, 'remove tasks');
  return queue.removeUnnamed(row, queueContext.host.createId());
}

/**
 * Puts removed rows back where they were, all or none. A row that is the same has its history and approval again.
 * @throws Problem `inside-run`; `conflict` or `usage` if that is not possible any more
 */
export async function restoreTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  rows: readonly RemovedRow[],
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'add tasks');
  await queue.restore(rows, queueContext.host.createId());
}
