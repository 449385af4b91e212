import { isApproved, approvable } from '../../../domain/task/approval';
import { Problem } from '../../../domain/problem';
import type { EpochMs } from '../../../domain/time/epoch';
import { formatCellTime, parseTime } from '../../../domain/time/localTime';
import type { Moment } from '../../../domain/time/moment';
import type { TaskId } from '../../../domain/task/task';
import type { TaskView } from '../../../domain/queue/view';
import type { Snapshot, TaskFields, TaskQueue } from '../../../queue/taskQueue';
import { describeRow } from '../../approval/approval';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';

/** Cells that belong to the task and not to its work. A duplicate has none of them. */
const OWN_COLUMNS: readonly string[] = ['id', 'status', 'scheduled_time', 'retry_count', 'created_at'];

/**
 * Adds a pending task with the cells of another, below its row, and returns the new id. It is approved if the other is
 * approved as it is now. A time that the user set and that has not come is kept.
 * @throws Problem `inside-run`, `no-such-task`
 */
export async function duplicateTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
): Promise<TaskId> {
  await refuseInsideAttempt(queueContext, queue, 'add tasks');
  const { createId } = queueContext.host;
  const before = await queue.read();
  const original = findTask(before, id);
  if (original === undefined) throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
  const approvals = queueContext.openApprovals();
  const approved = await approvals.read();
  const { timeZone } = await queueContext.configure();
  const fields = composeFields(await queue.cells(id), original, { now: queue.now(), timeZone });
  const added = await queue.add({ fields }, createId());
  await moveBelow(queue, added.id, id, createId());
  const task = findTask(await queue.read(), added.id);
  const seen = approvable(original.definition, original.state.power);
  // Either row may have changed meanwhile, also in what its history does not depend on.
  const isSame = task !== undefined && approvable(task.definition, task.state.power).power === seen.power;
  const wasApproved = isApproved(seen, { ...approved, trusted: false });
  // Read again: the approval may have been withdrawn meanwhile.
  if (isSame && wasApproved && isApproved(seen, { ...(await approvals.read()), trusted: false }))
    await approvals.approve([describeRow(task)]);
  return added.id;
}

function composeFields(cells: TaskFields, { state }: TaskView, moment: Moment): TaskFields {
  const kept = Object.entries(cells).filter(([column]) => !OWN_COLUMNS.includes(column));
  const { ownerScheduledAt: at } = state;
  const time = at === null || at <= moment.now ? {} : { scheduled_time: timeText(cells, at, moment) };
  return { ...Object.fromEntries(kept), ...time, status: 'pending', retry_count: '0' };
}

/** Returns the time as the user wrote it. At a usage limit the cell shows another one, so that it is written anew. */
function timeText({ scheduled_time: text = '' }: TaskFields, at: EpochMs, { timeZone }: Moment): string {
  return parseTime(text, timeZone) === at ? text : formatCellTime(at, timeZone);
}

async function moveBelow(queue: TaskQueue, id: TaskId, above: TaskId, op: string): Promise<void> {
  const { tasks } = await queue.read();
  const index = tasks.findIndex(({ definition }) => definition.id === above);
  const next = index < 0 ? undefined : tasks[index + 1]?.definition.id;
  if (next !== undefined && next !== id) await queue.move(id, next, op);
}

function findTask({ tasks }: Pick<Snapshot, 'tasks'>, id: TaskId): TaskView | undefined {
  return tasks.find(({ definition }) => definition.id === id);
}
