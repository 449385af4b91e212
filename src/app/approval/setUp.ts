import { isDeepStrictEqual } from 'node:util';
import type { TaskView } from '../../domain/queue/view';
import { approvable, isApproved, type ApprovalSet } from '../../domain/task/approval';
import type { Definition, TaskId } from '../../domain/task/task';
import { firstLine } from '../../platform/text/plainText';
import { redact } from '../../platform/text/redact';
import { t } from '../../platform/text/translate';

type Row = Pick<Definition, 'verifyBefore'>;

/** Rows of the queue, and which are approved. */
export interface SeenRows {
  readonly tasks: readonly TaskView[];
  readonly approved: ApprovalSet;
}

/**
 * Returns whether the user has seen the set-up of a row's check: it has none, or another row with it is approved. It is
 * from the queue's settings, so the author of the row need not know it.
 */
export function isSetUpSeen({ verifyBefore = [] }: Row, { tasks, approved }: SeenRows): boolean {
  const isSame = ({ definition }: TaskView): boolean =>
    isDeepStrictEqual(definition.verifyBefore, verifyBefore);
  const isOwn = ({ definition, state }: TaskView): boolean =>
    isApproved(approvable(definition, state.power), { ...approved, trusted: false });
  return verifyBefore.length === 0 || tasks.some((task) => isSame(task) && isOwn(task));
}

/** Returns a sentence for each of these tasks that is not approved because of the set-up of its check. */
export function describeUnseenSetUps(ids: readonly TaskId[], seen: SeenRows): string[] {
  if (seen.approved.trusted) return [];
  return seen.tasks.flatMap(({ definition }) => {
    const { id, verifyBefore = [] } = definition;
    if (!ids.includes(id) || isSetUpSeen(definition, seen)) return [];
    return [
      t(
        "Task {0} needs approval: its check is set up by {1}, which the queue's settings name and you have not approved yet.",
        id,
        firstLine(redact(verifyBefore.join(' '))),
      ),
    ];
  });
}
