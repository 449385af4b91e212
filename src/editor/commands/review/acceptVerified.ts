import { acceptReviews } from '../../../app/actions/tasks/acceptReviews';
import { isVerifiedAndSmall, listReviews, SMALL_LINES } from '../../../app/viewModel/report/reviews';
import type { ExtensionServices } from '../../state/extensionServices';
import { reportResult } from '../several/bulkResult';
import { askToAccept } from './reviewTexts';
import { t } from '../../../platform/text/translate';
import { showInformation, showWarning } from '../../messages';

/** Lists the unreviewed tasks that are verified and small, and accepts them after a yes. */
export async function acceptVerified(services: ExtensionServices): Promise<void> {
  const session = await services.queueModel.useQueue();
  const reviews = listReviews(await session.look(), await session.queue.attempts({}));
  const small = reviews.filter((review) => isVerifiedAndSmall(review, SMALL_LINES));
  if (small.length === 0) {
    void showInformation(
      t('No unreviewed task has a passed check, nothing refused and at most {0} changed lines.', SMALL_LINES),
    );
    return;
  }
  const { message, detail } = askToAccept(small);
  const accept = t('Accept');
  if ((await showWarning(message, { modal: true, detail }, accept)) !== accept) return;
  const done = await services.queueModel.change(({ queueContext, queue }) =>
    acceptReviews(queueContext, queue, small),
  );
  const others = small.map(({ task }) => task.id).filter((id) => !done.includes(id));
  reportResult(done.length, others, 'accepted');
}
