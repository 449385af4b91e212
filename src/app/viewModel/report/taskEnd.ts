import { BY_HAND, FAILED_CODE, VERIFIED, type Attempt, type Outcome } from '../../../domain/task/attempt';
import type { TaskViewModel } from '../queueViewModel';

/**
 * States of a task at the end of a period; each task of the period that is counted has exactly one.
 * - `checked`: completed, and its row's own check passed. `unchecked`: completed without such a check.
 * - `accepted`: completed by the user, or accepted in the period without an attempt in it. `undone`: completed, and the user has undone its changes since.
 * - `continues`: attempted in the period, and will run again. `waiting`: not attempted in it, or finished in it and then
 *   made pending by the user.
 * - `interrupted`: its worker died. `removed`: attempted or running, but its row is gone.
 */
export const TASK_ENDS = [
  'checked',
  'unchecked',
  'accepted',
  'undone',
  'review',
  'failed',
  'stuck',
  'interrupted',
  'running',
  'continues',
  'waiting',
  'cancelled',
  'removed',
] as const;
export type CountedEnd = (typeof TASK_ENDS)[number];

/** `changed`: attempted, but its id now has another row, or the row was edited. Not counted: that row is a task already. */
export type TaskEnd = CountedEnd | 'changed';

/**
 * Returns the end of a task in a period from its current state and its attempts that ended in the period, oldest first.
 * `isAccepted`: the user accepted its last attempt in the period. Null: it is over and neither ran nor was accepted in the
 * period. Whether its row was completed or cancelled in it is not recorded.
 */
export function endOfTask(
  view: Pick<TaskViewModel, 'task' | 'reason'>,
  attempts: readonly Attempt[],
  isAccepted: boolean,
): TaskEnd | null {
  const { task, reason } = view;
  if (task.claim !== undefined) return task.claim.ownerDied === true ? 'interrupted' : 'running';
  const open = OPEN_ENDS[reason.state];
  if (open !== undefined) return open;
  const last = attempts.at(-1);
  if (last === undefined) return endWithoutAttempt(view, isAccepted);
  if (reason.state === 'cancelled') return 'cancelled';
  return reason.state === 'completed' ? endOfCompleted(task, last) : endOfPending(view, last);
}

/** Ends that follow from the state alone. */
const OPEN_ENDS: Readonly<Partial<Record<TaskViewModel['reason']['state'], TaskEnd>>> = {
  review: 'review',
  dead: 'failed',
  stuck: 'stuck',
};

function endWithoutAttempt(
  { task, reason }: Pick<TaskViewModel, 'task' | 'reason'>,
  isAccepted: boolean,
): TaskEnd | null {
  if (reason.state === 'cancelled') return null;
  const isCompleted = reason.state === 'completed';
  // A repeating task that was accepted is pending until its next time.
  if (isAccepted && (isCompleted || task.state.dueCause === 'repeat'))
    return task.state.undone === true ? 'undone' : 'accepted';
  return isCompleted ? null : 'waiting';
}

function endOfCompleted({ state }: TaskViewModel['task'], { outcome, reason }: Attempt): TaskEnd {
  if (state.undone === true) return 'undone';
  if (outcome !== 'success' || reason === BY_HAND) return 'accepted';
  return reason === VERIFIED ? 'checked' : 'unchecked';
}

/** Outcomes after which no attempt follows by itself. */
const FINISHED: readonly Outcome[] = ['success', 'review', 'permanent', 'cancelled'];

/** Returns the end of a task that is pending. A repeating one is done, or failed, until its next time. */
function endOfPending({ task }: Pick<TaskViewModel, 'task'>, last: Attempt): TaskEnd {
  // A task that was finished runs anew, because the user wants it to.
  const isNew = task.state.resume === null && FINISHED.includes(last.outcome);
  if (task.state.dueCause !== 'repeat') return isNew ? 'waiting' : 'continues';
  if (last.acceptedAt !== undefined) return 'accepted';
  if (last.outcome === 'success') return endOfCompleted(task, last);
  return last.code === FAILED_CODE ? 'failed' : 'continues';
}
