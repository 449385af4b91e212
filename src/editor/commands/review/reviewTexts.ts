import { describeNeed, nameRisk, nameTask } from '../../../app/present/report/needTexts';
import { formatChanges } from '../../../app/present/report/reportTexts';
import { SMALL_LINES } from '../../../app/viewModel/report/reviews';
import type { Review } from '../../../app/viewModel/report/risk';
import { revealInvisible } from '../../../platform/text/invisible';
import { hideIcons } from '../../hiddenLinks';
import { t } from '../../../platform/text/translate';

/** Item of the list of unreviewed tasks. */
export interface ReviewItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly review: Review;
}

/** Returns an item for each unreviewed task: its title, its risk, and what is known of its work. */
export function reviewItems(reviews: readonly Review[]): readonly ReviewItem[] {
  return reviews.map((review) => ({
    label: hideIcons(`${String(review.task.id)}  ${nameTask(review.task)}`),
    description: nameRisk(review),
    detail: hideIcons(revealInvisible(describeNeed(review).join(' · '))),
    review,
  }));
}

/** Most tasks that a question lists. */
const MOST_LISTED = 20;

/** Returns the question whether these tasks are accepted without a look, and what it is about. */
export function askToAccept(reviews: readonly Review[]): {
  readonly message: string;
  readonly detail: string;
} {
  const { length } = reviews;
  const listed = reviews
    .slice(0, MOST_LISTED)
    .map(({ task }) => `${String(task.id)}  ${revealInvisible(nameTask(task))} (${formatChanges(task)})`);
  const more = length - listed.length;
  return {
    message: length === 1 ? t('Accept 1 task?') : t('Accept {0} tasks?', length),
    detail: [
      t('The check passed, nothing was refused, and at most {0} lines changed in each.', SMALL_LINES),
      '',
      ...listed,
      ...(more > 0 ? [t('and {0} more', more)] : []),
    ].join('\n'),
  };
}
