import * as vscode from 'vscode';
import { acceptReviews } from '../../../app/actions/tasks/acceptReviews';
import { listReviews } from '../../../app/viewModel/report/reviews';
import type { Review } from '../../../app/viewModel/report/risk';
import { addFolderName } from '../../state/folderName';
import type { ExtensionServices } from '../../state/extensionServices';
import { showFailure } from '../../status/failures';
import { showAttempt } from '../tasks/showAttempt';
import { showChanges } from '../tasks/showChanges';
import { reviewItems, type ReviewItem } from './reviewTexts';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/**
 * Lists the unreviewed tasks, the riskiest first. Shows what the picked one changed, or its attempt. The button of an
 * item accepts it.
 */
export async function review(services: ExtensionServices): Promise<void> {
  const session = await services.queueModel.useQueue();
  const reviews = listReviews(await session.look(), await session.queue.attempts({}));
  if (reviews.length === 0) {
    void showInformation(t('No task is unreviewed.'));
    return;
  }
  const chosen = await pick(services, reviews);
  if (chosen === null) return;
  const { task, actions } = chosen;
  if (actions.includes('showChanges')) await showChanges(services, task.id);
  else await showAttempt(services, task.id);
}

function pick(services: ExtensionServices, reviews: readonly Review[]): Promise<Review | null> {
  const accept: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('check'), tooltip: t('Accept') };
  const list = vscode.window.createQuickPick<ReviewItem & vscode.QuickPickItem>();
  list.title = addFolderName(services, t('Review: the riskiest task is first'));
  list.placeholder = t('Pick a task to see its changes; its button accepts it');
  list.matchOnDescription = true;
  list.items = reviewItems(reviews).map((item) => ({ ...item, buttons: [accept] }));
  return new Promise((resolve) => {
    list.onDidTriggerItemButton(({ item }) => {
      acceptOne(services, item.review)
        .then(() => {
          list.items = list.items.filter((one) => one !== item);
          if (list.items.length === 0) list.hide();
        })
        .catch((error: unknown) => showFailure(services, 'accept', error));
    });
    list.onDidAccept(() => {
      resolve(list.selectedItems[0]?.review ?? null);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(null);
      list.dispose();
    });
    list.show();
  });
}

/** Accepts a task as it was listed, and says so if it was not possible any more. */
async function acceptOne(services: ExtensionServices, listed: Review): Promise<void> {
  const done = await services.queueModel.change(({ queueContext, queue }) =>
    acceptReviews(queueContext, queue, [listed]),
  );
  if (done.length > 0) return;
  void showInformation(t('Task {0} has changed. Review it again.', listed.task.id));
}
