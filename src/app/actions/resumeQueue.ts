import type { Priority } from '../../domain/task/priority';
import type { TaskQueue } from '../../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueSite } from '../context/queueContext';

/**
 * Lifts all holds and opens the gate: a person has mended what was in the way, or wants to try. With `priorities`, only
 * these are let go on. @throws Problem `inside-run`
 */
export async function resumeQueue(
  site: QueueSite,
  queue: TaskQueue,
  priorities?: readonly Priority[],
): Promise<void> {
  await refuseInsideRun(site, queue, 'open the gate');
  const op = site.host.createId();
  if (priorities !== undefined) {
    await queue.resume(op, { priorities });
    return;
  }
  await (await site.openGate()).reopen();
  await queue.resume(op);
}
