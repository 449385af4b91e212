import type { Priority } from '../../../domain/task/priority';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Lifts all pauses and opens the gate, so that waiting tasks are tried again. With `priorities`, lifts only the pauses
 * of these.
 * @throws Problem `inside-run`
 */
export async function resumeQueue(
  queueContext: QueueContext,
  queue: TaskQueue,
  priorities?: readonly Priority[],
): Promise<void> {
  await refuseInsideAttempt(queueContext, queue, 'open the gate');
  const op = queueContext.host.createId();
  if (priorities !== undefined) {
    await queue.resume(op, { priorities });
    return;
  }
  await (await queueContext.openGate()).reopen();
  await queue.resume(op);
}
