import type { GateView } from '../domain/limits';
import type { TaskQueue } from '../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueSite } from './site';

/**
 * Lets one task try before the reset that the account told: if it is let through, the others follow. Gives the gate after
 * it. @throws Problem `inside-run`
 */
export async function probeGate(site: QueueSite, queue: TaskQueue): Promise<GateView> {
  await refuseInsideRun(site, queue, 'open the gate');
  const gate = await (await site.openGate()).probe();
  const { holds, streak } = await queue.read();
  // What met the limit waits for its reset by itself. Holds, and failures in a row, are not what is tried here.
  if (holds.length === 0 && streak === null) await queue.resume(site.host.createId());
  return gate;
}
