import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/** Place to move a task to: before another task, or to the start or the end of the queue. */
export type TaskPlace = { readonly before: TaskId } | 'first' | 'last';

/**
 * Moves a task's row. Within a priority, tasks run in the order of their rows.
 * @throws Problem `inside-run`, `no-such-task`
 */
export async function moveTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
  place: TaskPlace,
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'move tasks');
  await queue.move(id, await findTarget(queue, id, place), queueContext.host.createId());
}

async function findTarget(queue: TaskQueue, id: TaskId, place: TaskPlace): Promise<TaskId | null> {
  if (place === 'last') return null;
  if (place !== 'first') return place.before;
  const [first] = (await queue.read()).tasks;
  return first?.definition.id ?? id;
}

/**
 * Moves rows, one after the other, each before another task; null: after all others.
 * @throws Problem `inside-run`, `no-such-task`
 */
export async function moveRows(
  queueContext: QueueContext,
  queue: TaskQueue,
  moves: readonly { readonly id: TaskId; readonly before: TaskId | null }[],
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'move tasks');
  for (const { id, before } of moves) await queue.move(id, before, queueContext.host.createId());
}
