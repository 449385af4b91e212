import type { TaskId } from '../../domain/task/task';
import type { TaskQueue, Verb } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import { endLeftRuns, type Tell } from './leftoverRuns';
import type { QueueSite } from '../context/queueContext';

/**
 * Carries out what a person decides about a task. Of one that is cancelled, what a dead worker has left is ended;
 * false: it could not be. @throws Problem `inside-run`
 */
export async function decideTask(
  site: QueueSite,
  queue: TaskQueue,
  { id, verb }: { readonly id: TaskId; readonly verb: Verb },
  tell: Tell,
): Promise<boolean> {
  await refuseInsideRun(site, queue, `${verb} tasks`);
  await queue.command(id, verb, site.host.createId());
  return verb !== 'cancel' || endLeftRuns(site, queue, tell, id);
}
