import { PERMISSION_COLUMNS, permissionFingerprint } from '../../../domain/task/permissionFingerprint';
import { approvable, isApproved } from '../../../domain/task/approval';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { Snapshot, TaskFields, TaskQueue } from '../../../queue/taskQueue';
import { describeRow } from '../../approval/approval';
import { changesOnly, findDroppedWords, type DroppedWords } from '../../approval/ownEdit';
import { isSetUpSeen, listSeenSetUps } from '../../approval/setUp';
import { isAboutOneTask } from '../tasks/decideTask';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { QueueContext } from '../../context/queueContext';
import { t } from '../../../platform/text/translate';

/** A task that was edited. */
export interface Edited {
  /** The task as it is now; null if other edits make that unclear, or if no valid row is left. */
  readonly task: Snapshot['tasks'][number] | null;
  /** Words of the user that its next attempt does not get any more; null: none. */
  readonly dropped: DroppedWords | null;
}

/**
 * Changes fields of a task for the user. An approved task stays approved if only these fields changed. It needs a new
 * approval if others changed its permissions meanwhile. An unapproved task stays unapproved.
 * @throws Problem `inside-run`, `no-such-task`, `usage`; `already-running` if it would change a running attempt
 */
export async function editTask(
  queueContext: QueueContext,
  queue: TaskQueue,
  id: TaskId,
  fields: TaskFields,
): Promise<Edited> {
  await refuseInsideAttempt(queueContext, queue, 'edit tasks');
  const before = await queue.read();
  if (
    before.claims.some((claim) => claim.id === id) &&
    Object.keys(fields).some((field) => field in PERMISSION_COLUMNS)
  ) {
    throw new Problem(
      'already-running',
      t('Task {0} is running: what it runs can be changed when it has ended, or was cancelled.', id),
    );
  }
  const approvals = queueContext.openApprovals();
  const approved = await approvals.read();
  const { power } = await queue.edit(id, fields, queueContext.host.createId());
  const old = before.tasks.find(({ definition }) => definition.id === id);
  const task = (await queue.read()).tasks.find(({ definition }) => definition.id === id) ?? null;
  const dropped = old === undefined || old.state.power === power ? null : findDroppedWords(old.state);
  if (task === null || old === undefined || permissionFingerprint(task.definition) !== power)
    return { task, dropped };
  const isTheirs =
    changesOnly(old.definition, task.definition, fields) &&
    isSetUpSeen(task.definition, listSeenSetUps({ tasks: before.tasks, approved }));
  const seen = approvable(old.definition, old.state.power);
  // Read again: the approval may have been withdrawn meanwhile.
  if (isTheirs && isApproved(seen, { ...(await approvals.read()), trusted: false }))
    await approvals.approve([{ ...describeRow(task), ...approvable(task.definition, power) }]);
  return { task, dropped };
}

/**
 * Changes the same fields of several tasks, as `editTask` does. Returns those that were changed: a task may have been
 * removed meanwhile.
 */
export async function editTasks(
  queueContext: QueueContext,
  queue: TaskQueue,
  ids: readonly TaskId[],
  fields: TaskFields,
): Promise<readonly TaskId[]> {
  const done: TaskId[] = [];
  for (const id of ids) {
    try {
      await editTask(queueContext, queue, id, fields);
      done.push(id);
    } catch (error) {
      if (!isAboutOneTask(error)) throw error;
    }
  }
  return done;
}
