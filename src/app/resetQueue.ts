import { isProblem } from '../domain/problem';
import type { TaskQueue } from '../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import { endLeftRuns, type Tell } from './leftRuns';
import type { QueueSite } from './site';

const WHAT = 'put the history away';

/**
 * Puts the history of a queue away, and gives where to. A run whose worker died does not keep it from that: what is left
 * of it is ended first. A history that was made elsewhere is archived whole, without being read.
 * @throws Problem `inside-run`, `already-running`
 */
export async function resetQueue(site: QueueSite, tell: Tell): Promise<string> {
  try {
    return await site.withQueue((queue) => resetOwn(site, queue, tell));
  } catch (error) {
    if (!isProblem(error, 'state-foreign')) throw error;
    await refuseInsideRun(site, null, WHAT);
    return (await site.openForeignHistory()).archive();
  }
}

async function resetOwn(site: QueueSite, queue: TaskQueue, tell: Tell): Promise<string> {
  await refuseInsideRun(site, queue, WHAT);
  await endLeftRuns(site, queue, tell);
  return queue.reset();
}
