import type { TaskQueue } from '../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import { endLeftRuns, type Tell } from './leftRuns';
import type { QueueSite } from './site';

/**
 * Puts the history of a queue away, and gives where to. A run whose worker died does not keep it from that: what is left
 * of it is ended first. @throws Problem `inside-run`, `already-running`
 */
export async function resetQueue(site: QueueSite, queue: TaskQueue, tell: Tell): Promise<string> {
  await refuseInsideRun(site, queue, 'put the history away');
  await endLeftRuns(site, queue, tell);
  return queue.reset();
}
