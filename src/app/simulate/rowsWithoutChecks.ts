import type { TaskView } from '../../domain/queue/view';
import { approvable, approvalOf, isApproved, type ApprovalSet } from '../../domain/task/approval';
import type { Definition } from '../../domain/task/task';

/** Returns the row without its check: a simulated attempt must not run it. */
export function withoutCheck({ verify: _, verifyBefore: _before, ...definition }: Definition): Definition {
  return definition;
}

/** Returns the approvals of the approved rows, for their copies without checks. */
export function approveWithoutChecks(tasks: readonly TaskView[], approved: ApprovalSet): ApprovalSet {
  const rows = tasks.filter(({ definition, state }) =>
    isApproved(approvable(definition, state.power), approved),
  );
  // A trusted file also runs rows that are pending again by the file alone; approved rows wait for the user then.
  const isTrusted = approved.trusted || !tasks.some(({ state }) => state.reopened);
  // Fast path: otherwise each simulated claim looks at the approval of each row.
  if (isTrusted && rows.length === tasks.length) return { trusted: true, approvals: new Set() };
  const approvals = rows.map(({ definition, state }) =>
    approvalOf(approvable(withoutCheck(definition), state.power)),
  );
  return { trusted: false, approvals: new Set(approvals) };
}
