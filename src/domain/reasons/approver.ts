import type { LivingWorker, ProcessOwner, TaskView } from '../queue/view';
import { isMeantFor, isWanted } from '../order/choice';
import type { Explain } from './explain';
import type { Reason } from './reason';

/** Returns a worker that takes a task and may run it; undefined: none. */
export type FindApprover = (task: TaskView) => ProcessOwner | undefined;

/** Returns a search among these workers. */
export function searchApprover(workers: readonly LivingWorker[]): FindApprover {
  const known = workers.flatMap(({ owner, takes = {}, approvals }) =>
    approvals === undefined
      ? []
      : [{ owner, takes, trusted: approvals.trusted, unapproved: new Set(approvals.unapproved) }],
  );
  return (task) => {
    const { id, priority } = task.definition;
    return known.find(
      ({ takes, trusted, unapproved }) =>
        isMeantFor(takes, task) &&
        isWanted(priority, priority, takes) &&
        (trusted || !(task.state.reopened || unapproved.has(id))),
    )?.owner;
  };
}

/** Explains tasks as `explain` does. One that is not approved here does not need the user if a worker elsewhere may run it. */
export function explainBesideOthers(explain: Explain, findApprover: FindApprover): Explain {
  return (task) => {
    const reason = explain(task);
    const owner = reason.state === 'unapproved' ? findApprover(task) : undefined;
    if (owner === undefined) return reason;
    return { ...reason, causes: [{ kind: 'approved-elsewhere', owner }], waitsFor: 'elsewhere' };
  };
}

/** Whether a task waits for the user's approval. */
export function needsApproval({ state, waitsFor }: Reason): boolean {
  return state === 'unapproved' && waitsFor === 'person';
}
