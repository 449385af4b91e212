import type { TaskQueue } from '../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueSite } from './site';

/** Lifts the hold and opens the gate: a person has mended what was in the way, or wants to try. @throws Problem `inside-run` */
export async function resumeQueue(site: QueueSite, queue: TaskQueue): Promise<void> {
  await refuseInsideRun(site, queue, 'open the gate');
  await (await site.openGate()).reopen();
  await queue.resume(site.host.createId());
}
