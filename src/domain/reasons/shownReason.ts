import { reviewCause } from './explain';
import type { Reason } from './reason';
import { isInReview, type TaskView } from '../queue/view';

/**
 * Returns the reason under which every view shows a task: that of `explain`, but `review` as long as the last run
 * awaits a decision. For a repeating task `explain` returns the schedule, which continues meanwhile: `until` is still
 * its next time.
 */
export function shownReason({ state, claim }: TaskView, reason: Reason): Reason {
  if (claim !== undefined || reason.state === 'review' || reason.state === 'dead') return reason;
  if (!isInReview(state)) return reason;
  const { causes, until } = reason;
  return {
    state: 'review',
    review: reviewCause(state),
    causes,
    waitsFor: 'person',
    ...(until === undefined ? {} : { until }),
  };
}
