import type { TaskId } from '../../../domain/task/task';
import type { TaskDraft, TaskQueue } from '../../../queue/taskQueue';
import { describeRow } from '../../approval/approval';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Appends tasks that the user asked for, all or none, and approves them as asked for. A row that was changed since is
 * not approved.
 * @throws Problem `inside-run`, `queue-incomplete`, `usage`
 */
export async function addTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  drafts: readonly TaskDraft[],
): Promise<readonly TaskId[]> {
  await refuseInsideAttempt(queueContext, queue, 'add tasks');
  const added = await queue.addAll(drafts, queueContext.host.createId());
  const { tasks } = await queue.read();
  const byId = new Map(tasks.map((task) => [task.definition.id, task]));
  const asked = added.map(({ id, power }) => {
    const task = byId.get(id);
    return task?.state.power === power ? describeRow(task) : { id, power };
  });
  await queueContext.openApprovals().approve(asked);
  return added.map(({ id }) => id);
}

/** Appends one task, as `addTasks` does. */
export async function addTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  draft: TaskDraft,
): Promise<TaskId> {
  const [id] = await addTasks(queueContext, queue, [draft]);
  if (id === undefined) throw new RangeError('The queue did not return the ids that it added.');
  return id;
}
