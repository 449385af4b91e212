import { approvable, isApproved } from '../../domain/task/approval';
import type { TaskQueue } from '../../queue/taskQueue';
import { isInsideRun } from '../actions/insideRun';
import type { ShownTask } from '../viewModel/queueViewModel';
import type { QueueSite } from '../context/queueContext';

/** Which of these rows the user has not seen as they are now: not listed since they changed, and not approved so. */
export async function findUnlisted(
  site: QueueSite,
  rows: readonly ShownTask[],
): Promise<readonly ShownTask[]> {
  const approvals = site.openApprovals();
  const [listed, { approvals: approved }] = await Promise.all([approvals.readListed(), approvals.read()]);
  return rows.filter((shown) => {
    const { definition, state } = shown.task;
    const isDone = isApproved(approvable(definition, state.power), { trusted: false, approvals: approved });
    return (!isDone || state.reopened) && listed.get(definition.id) !== nameShown(shown);
  });
}

/** Records that these rows were listed to the user; what a run has listed for itself, the user has not seen. */
export async function noteListed(
  site: QueueSite,
  queue: TaskQueue,
  rows: readonly ShownTask[],
): Promise<void> {
  if (rows.length === 0 || (await isInsideRun(site, queue))) return;
  await site
    .openApprovals()
    .noteListed(rows.map((shown) => ({ id: shown.task.definition.id, shown: nameShown(shown) })));
}

/** Names what a list shows of a row for approval. */
function nameShown({ task: { definition, state } }: ShownTask): string {
  return `${approvable(definition, state.power).power}${state.reopened ? ' reopened' : ''}`;
}
