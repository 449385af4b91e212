import { tellReview, type Reason } from './explain';
import { isInReview, type TaskView } from './view';

/**
 * The reason under which every view shows a task: that of `explain`, but `review` as long as the last run awaits a
 * decision. Of a repeating task `explain` tells the schedule, which continues meanwhile: `until` is still its next time.
 */
export function shownReason({ state, claim }: TaskView, reason: Reason): Reason {
  if (claim !== undefined || reason.shown === 'review' || reason.shown === 'dead') return reason;
  if (!isInReview(state)) return reason;
  return {
    shown: 'review',
    // Composed when it is read: a time in words is dear, and few rows are read.
    get text() {
      const message = tellReview(state).replace(/[.\s]+$/, '');
      return [message, reason.text].filter((part) => part !== '').join('; ');
    },
    waitsFor: 'person',
    ...(reason.until === undefined ? {} : { until: reason.until }),
  };
}
