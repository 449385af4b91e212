import type { TaskId } from '../domain/task';
import type { NewRow, TaskQueue } from '../queue/taskQueue';
import { refuseInsideRun } from './insideRun';
import type { QueueSite } from './site';

/**
 * Appends a task that a person asked for, and approves what they asked for: not what somebody may have made of the row
 * since. @throws Problem `inside-run`, `queue-incomplete`
 */
export async function addTask(site: QueueSite, queue: TaskQueue, row: NewRow): Promise<TaskId> {
  await refuseInsideRun(site, queue, 'add tasks');
  const { id, power } = await queue.add(row, site.host.createId());
  await site.openApprovals().approve([power]);
  return id;
}
