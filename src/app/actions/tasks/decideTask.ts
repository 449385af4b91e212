import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue, Verb } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import { endLeftoverAttempts, type Report } from '../attempts/leftoverAttempts';
import type { QueueContext } from '../../context/queueContext';

/**
 * Carries out the user's decision about a task. For a cancelled task, ends the leftover processes of a dead worker.
 * Returns false if they could not be ended.
 * @throws Problem `inside-run`
 */
export async function decideTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  { id, verb }: { readonly id: TaskId; readonly verb: Verb },
  report: Report,
): Promise<boolean> {
  await refuseInsideAttempt(queueContext, queue, `${verb} tasks`);
  await queue.command(id, verb, queueContext.host.createId());
  return verb !== 'cancel' || endLeftoverAttempts(queueContext, queue, report, id);
}
