import type { TaskId } from '../domain/task';
import type { NewRow, TaskQueue } from '../queue/taskQueue';
import { describeRow } from './approval';
import { refuseInsideRun } from './insideRun';
import type { QueueSite } from './site';

/**
 * Appends a task that a person asked for, and approves what they asked for: not what somebody may have made of the row
 * since. @throws Problem `inside-run`, `queue-incomplete`
 */
export async function addTask(site: QueueSite, queue: TaskQueue, row: NewRow): Promise<TaskId> {
  await refuseInsideRun(site, queue, 'add tasks');
  const { id, power } = await queue.add(row, site.host.createId());
  const task = (await queue.read()).tasks.find(({ definition }) => definition.id === id);
  const isTheirs = task?.state.power === power;
  await site.openApprovals().approve([isTheirs ? describeRow(task) : { id, power }]);
  return id;
}
