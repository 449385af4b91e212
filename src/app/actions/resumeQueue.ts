import type { Priority } from '../../domain/task/priority';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueContext } from '../context/queueContext';

/**
 * Lifts all holds and opens the gate: the user has fixed what was in the way, or wants to try. With `priorities`, only
 * these are let continue. @throws Problem `inside-run`
 */
export async function resumeQueue(
  queueContext: QueueContext,
  queue: TaskQueue,
  priorities?: readonly Priority[],
): Promise<void> {
  await refuseInsideRun(queueContext, queue, 'open the gate');
  const op = queueContext.host.createId();
  if (priorities !== undefined) {
    await queue.resume(op, { priorities });
    return;
  }
  await (await queueContext.openGate()).reopen();
  await queue.resume(op);
}
