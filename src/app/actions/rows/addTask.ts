import { tasksById } from '../../../domain/reasons/world';
import type { TaskId } from '../../../domain/task/task';
import type { OpId, TaskDraft, TaskQueue } from '../../../queue/taskQueue';
import { describeRow } from '../../approval/approval';
import { NO_CALLBACKS, sendsAsGiven } from '../../approval/ownEdit';
import { isSetUpSeen, listSeenSetUps } from '../../approval/setUp';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/**
 * Appends tasks that the user asked for, all or none, and approves them as asked for. A row that was changed since is
 * not approved, nor is one whose check is set up by a command that the user has not approved yet. A call with an `op` that
 * was carried out adds nothing, and returns the same ids.
 * @throws Problem `inside-run`, `queue-incomplete`, `usage`
 */
export async function addTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  drafts: readonly TaskDraft[],
  op: OpId = queueContext.host.createId(),
): Promise<readonly TaskId[]> {
  await refuseInsideAttempt(queueContext, queue, 'add tasks');
  const approvals = queueContext.openApprovals();
  // First: with approvals that cannot be read, nothing is added, and a repeated call adds nothing twice.
  const approved = await approvals.read();
  const added = await queue.addAll(drafts, op);
  const { tasks } = await queue.read();
  const byId = tasksById({ tasks });
  const seen = listSeenSetUps({ tasks, approved });
  const asked = added.flatMap(({ id, power }, index) => {
    const task = byId.get(id);
    const fields = { ...NO_CALLBACKS, ...drafts[index]?.fields };
    if (task?.state.power !== power || !sendsAsGiven(task.definition, fields)) return [{ id, power }];
    return isSetUpSeen(task.definition, seen) ? [describeRow(task)] : [];
  });
  await approvals.approve(asked);
  return added.map(({ id }) => id);
}

/** Appends one task, as `addTasks` does. */
export async function addTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  draft: TaskDraft,
  op?: OpId,
): Promise<TaskId> {
  const [id] = await addTasks(queueContext, queue, [draft], op);
  if (id === undefined) throw new RangeError('The queue did not return the ids that it added.');
  return id;
}
