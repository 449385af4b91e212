import { BY_HAND, VERIFIED, type Attempt } from '../../../domain/task/attempt';
import type { TaskViewModel } from '../queueViewModel';

/**
 * States of a task at the end of a period; each task of the period has exactly one.
 * - `checked`: completed, and its row's own check passed. `unchecked`: completed without such a check.
 * - `accepted`: completed by the user. `undone`: completed, and the user has undone its changes since.
 * - `continues`: attempted in the period, and will run again. `waiting`: not attempted in it.
 * - `interrupted`: its worker died. `removed`: attempted, but its row is gone.
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
export type TaskEnd = (typeof TASK_ENDS)[number];

/**
 * Returns the end of a task in a period from its current state and its attempts that ended in the period, oldest first.
 * Null: it was over before, so it is not of the period.
 */
export function endOfTask(
  view: Pick<TaskViewModel, 'task' | 'reason'> | null,
  attempts: readonly Attempt[],
): TaskEnd | null {
  if (view === null) return 'removed';
  const { task, reason } = view;
  if (task.claim !== undefined) return task.claim.ownerDied === true ? 'interrupted' : 'running';
  const open = OPEN_ENDS[reason.state];
  if (open !== undefined) return open;
  const last = attempts.at(-1);
  const isOver = reason.state === 'completed' || reason.state === 'cancelled';
  if (last === undefined) return isOver ? null : 'waiting';
  if (reason.state === 'cancelled') return 'cancelled';
  return reason.state === 'completed' ? endOfCompleted(task, last) : endOfPending(view, last);
}

/** Ends that follow from the state alone. */
const OPEN_ENDS: Readonly<Partial<Record<TaskViewModel['reason']['state'], TaskEnd>>> = {
  review: 'review',
  dead: 'failed',
  stuck: 'stuck',
};

function endOfCompleted({ state }: TaskViewModel['task'], { outcome, reason }: Attempt): TaskEnd {
  if (state.undone === true) return 'undone';
  if (outcome !== 'success' || reason === BY_HAND) return 'accepted';
  return reason === VERIFIED ? 'checked' : 'unchecked';
}

/** Returns the end of a task that is pending. A repeating one is done, or failed, until its next time. */
function endOfPending({ task }: Pick<TaskViewModel, 'task'>, last: Attempt): TaskEnd {
  if (task.state.dueCause !== 'repeat') return 'continues';
  if (last.outcome === 'success') return endOfCompleted(task, last);
  return last.outcome === 'error' || last.outcome === 'permanent' ? 'failed' : 'continues';
}
