import type { TaskId } from '../../domain/task/task';
import type { TaskQueue, Verb } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import { endLeftoverRuns, type Report } from './leftoverRuns';
import type { QueueContext } from '../context/queueContext';

/**
 * Carries out what the user decides about a task. Of one that is cancelled, what a dead worker has left is ended;
 * false: it could not be. @throws Problem `inside-run`
 */
export async function decideTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  { id, verb }: { readonly id: TaskId; readonly verb: Verb },
  report: Report,
): Promise<boolean> {
  await refuseInsideRun(queueContext, queue, `${verb} tasks`);
  await queue.command(id, verb, queueContext.host.createId());
  return verb !== 'cancel' || endLeftoverRuns(queueContext, queue, report, id);
}
