import { approvable, isApproved } from '../../domain/task/approval';
import type { TaskQueue } from '../../queue/taskQueue';
import { isInsideAttempt } from '../actions/attempts/insideAttempt';
import type { TaskViewModel } from '../viewModel/queueViewModel';
import type { QueueContext } from '../context/queueContext';

/** Returns the rows that the user has not seen as they are now: neither listed nor approved since they changed. */
export async function findUnlisted(
  queueContext: QueueContext,
  rows: readonly TaskViewModel[],
): Promise<readonly TaskViewModel[]> {
  const approvals = queueContext.openApprovals();
  const [listed, { approvals: approved }] = await Promise.all([approvals.readListed(), approvals.read()]);
  return rows.filter((shown) => {
    const { definition, state } = shown.task;
    const isDone = isApproved(approvable(definition, state.power), { trusted: false, approvals: approved });
    return (!isDone || state.reopened) && listed.get(definition.id) !== nameShown(shown);
  });
}

/** Records that these rows were listed to the user. A listing by an attempt does not count. */
export async function noteListed(
  queueContext: QueueContext,
  queue: TaskQueue,
  rows: readonly TaskViewModel[],
): Promise<void> {
  if (rows.length === 0 || (await isInsideAttempt(queueContext, queue))) return;
  await queueContext
    .openApprovals()
    .noteListed(rows.map((shown) => ({ id: shown.task.definition.id, shown: nameShown(shown) })));
}

/** Key of a listed row: its permission fingerprint, and whether it was reopened. */
function nameShown({ task: { definition, state } }: TaskViewModel): string {
  return `${approvable(definition, state.power).power}${state.reopened ? ' reopened' : ''}`;
}
