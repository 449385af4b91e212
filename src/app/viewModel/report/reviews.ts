import { hasPassedBefore, sinceLastSuccess, VERIFIED, type Attempt } from '../../../domain/task/attempt';
import { groupByTask } from '../../../domain/task/attemptsByTask';
import { isUnreviewed } from '../../../domain/queue/view';
import type { TaskId } from '../../../domain/task/task';
import type { QueueViewModel, TaskViewModel } from '../queueViewModel';
import { dependentsIn } from './dependents';
import { reportTask, type ReportedTask } from './reportedTask';
import { linesOf, orderReviews, type Review } from './risk';
import type { TaskEnd } from './taskEnd';

/** Number of inserted and deleted lines up to which a change counts as small, if the user names no other. */
export const SMALL_LINES = 50;

/**
 * Returns the unreviewed tasks, ordered by risk. Each has the attempts since its last success. `attempts` are all known
 * ones, newest first.
 */
export function listReviews(viewModel: QueueViewModel, attempts: readonly Attempt[]): readonly Review[] {
  return order(
    viewModel,
    viewModel.tasks.filter(({ task }) => isUnreviewed(task)),
    attempts,
  );
}

/** Returns the tasks that are shown as in review. */
export function findInReview({ tasks }: QueueViewModel): readonly TaskViewModel[] {
  return tasks.filter(({ reason }) => reason.state === 'review');
}

/** Returns the places of the tasks in review when they are ordered by risk, from 0. `attempts` as for `listReviews`. */
export function rankReviews(
  viewModel: QueueViewModel,
  attempts: readonly Attempt[],
): ReadonlyMap<TaskId, number> {
  const reviews = order(viewModel, findInReview(viewModel), attempts);
  return new Map(reviews.map(({ task }, place) => [task.id, place]));
}

function order(
  viewModel: QueueViewModel,
  views: readonly TaskViewModel[],
  attempts: readonly Attempt[],
): readonly Review[] {
  const byTask = groupByTask(attempts);
  const tasks = views.map((view) => describeTask(view, byTask.get(view.task.definition.id) ?? []));
  return orderReviews(tasks, dependentsIn(viewModel));
}

function describeTask(view: TaskViewModel, newestFirst: readonly Attempt[]): ReportedTask {
  const { definition, state } = view.task;
  // The attempts of another row with this id did other work.
  const own = sinceLastSuccess(newestFirst.filter(({ power }) => power === state.power));
  return reportTask(definition.id, view, endOf(view, own[0]), own.toReversed());
}

function endOf({ reason }: TaskViewModel, last: Attempt | undefined): TaskEnd {
  if (reason.state === 'review') return 'review';
  return last?.reason === VERIFIED ? 'checked' : 'unchecked';
}

/**
 * Whether the task may be accepted without a look at it: its check passed, nothing was refused, and its change has at most
 * this number of inserted and deleted lines. A change that is not known is not small.
 */
export function isVerifiedAndSmall({ task }: Review, maxLines: number): boolean {
  const { end, diff, isDiffPartial, denials, isUndone } = task;
  const isSmall = diff !== null && !isDiffPartial && linesOf(diff) <= maxLines;
  // A check that passed before as well shows only that nothing broke.
  const isProven = end === 'checked' && !hasPassedBefore(task.attempts.at(-1));
  return isProven && isSmall && denials.length === 0 && !isUndone;
}
