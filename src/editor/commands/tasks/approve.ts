import * as vscode from 'vscode';
import { approveTasks } from '../../../app/approval/approval';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import type { QueueViewModel, TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { OpenedQueue } from '../../state/openedQueue';
import type { ExtensionServices } from '../../state/extensionServices';
import { listUnapproved, pressButton, type ApprovalItem } from './approvalItems';
import { idOf } from './taskTarget';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/**
 * Lists what waits for approval with its permissions, and approves what is picked. A task given by name is listed
 * alone.
 */
export async function approve(services: ExtensionServices, target: unknown): Promise<void> {
  const session = await services.queueModel.useQueue();
  const { tasks, snapshot } = await session.look();
  const id = idOf(target);
  const waiting = tasks.filter(
    ({ task, reason }) => reason.state === 'unapproved' && (id === null || task.definition.id === id),
  );
  if (waiting.length === 0) {
    void showInformation(t('No task waits for approval.'));
    return;
  }
  await approveListed(services, session, waiting, snapshot);
}

/** Lists these rows, and approves those that the user picks. Returns their number. */
export async function approveListed(
  services: ExtensionServices,
  session: OpenedQueue,
  waiting: readonly TaskViewModel[],
  snapshot: QueueViewModel['snapshot'],
): Promise<number> {
  const chosen = await pick(services, await listUnapproved(session, waiting, snapshot));
  if (chosen.length === 0) return 0;
  await services.queueModel.change(async ({ queueContext, queue }) => {
    await refuseInsideAttempt(queueContext, queue, 'approve tasks');
    await approveTasks(
      queueContext,
      queue,
      chosen.map(({ shown }) => shown),
    );
  });
  return chosen.length;
}

function pick(services: ExtensionServices, items: readonly ApprovalItem[]): Promise<readonly ApprovalItem[]> {
  const list = vscode.window.createQuickPick<ApprovalItem>();
  list.title = addFolderName(services, t('Approve: these tasks may then run unattended on this machine'));
  list.placeholder = t('Read each row; pick those that may run');
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.items = items;
  // A cut item must be picked by the user.
  list.selectedItems = items.length === 1 ? items.filter(({ isCut }) => !isCut) : [];
  return new Promise((resolve) => {
    list.onDidTriggerItemButton(({ item, button }) => {
      pressButton(services, item, button);
    });
    list.onDidAccept(() => {
      resolve(list.selectedItems);
      list.hide();
    });
    list.onDidHide(() => {
      resolve([]);
      list.dispose();
    });
    list.show();
  });
}
