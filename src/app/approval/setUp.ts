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

/** Set-ups of checks, as `isSetUpSeen` looks them up. */
export type SeenSetUps = ReadonlySet<string>;

/** Returns the set-ups that the user has seen: those of the approved rows. */
export function listSeenSetUps({ tasks, approved }: SeenRows): SeenSetUps {
  const own = tasks.filter(
    ({ definition, state }) =>
      (definition.verifyBefore ?? []).length > 0 &&
      isApproved(approvable(definition, state.power), { ...approved, trusted: false }),
  );
  return new Set(own.map(({ definition }) => JSON.stringify(definition.verifyBefore)));
}

/**
 * Returns whether the user has seen the set-up of a row's check: it has none, or another row with it is approved. It is
 * from the queue's settings, so the author of the row need not know it.
 */
export function isSetUpSeen({ verifyBefore = [] }: Row, seen: SeenSetUps): boolean {
  return verifyBefore.length === 0 || seen.has(JSON.stringify(verifyBefore));
}

/** Returns a sentence for each of these tasks that is not approved because of the set-up of its check. */
export function describeUnseenSetUps(ids: readonly TaskId[], seen: SeenRows): string[] {
  if (seen.approved.trusted) return [];
  const asked = new Set(ids);
  const setUps = listSeenSetUps(seen);
  return seen.tasks.flatMap(({ definition }) => {
    const { id, verifyBefore = [] } = definition;
    if (!asked.has(id) || isSetUpSeen(definition, setUps)) return [];
    return [
      t(
        "Task {0} needs approval: its check is set up by {1}, which the queue's settings name and you have not approved yet.",
        id,
        firstLine(redact(verifyBefore.join(' '))),
      ),
    ];
  });
}
