import * as vscode from 'vscode';
import { approveTasks } from '../../../app/approval/approval';
import { refuseInsideRun } from '../../../app/actions/insideRun';
import type { Desk } from '../../state/extensionServices';
import { listUnapproved, pressButton, type ApprovalItem } from './approvalItems';
import { idOf } from './taskTarget';

/** Lists what waits for approval, with what each may do, and approves what is picked; of a task by name only that. */
export async function approve(desk: Desk, target: unknown): Promise<void> {
  const session = await desk.keeper.useSession();
  const { tasks, snapshot } = await session.look();
  const id = idOf(target);
  const waiting = tasks.filter(
    ({ task, reason }) => reason.shown === 'unapproved' && (id === null || task.definition.id === id),
  );
  if (waiting.length === 0) {
    void vscode.window.showInformationMessage('No task waits for approval.');
    return;
  }
  const chosen = await pick(desk, await listUnapproved(session, waiting, snapshot));
  if (chosen.length === 0) return;
  await desk.keeper.change(async ({ site, queue }) => {
    await refuseInsideRun(site, queue, 'approve tasks');
    await approveTasks(
      site,
      queue,
      chosen.map(({ shown }) => shown),
    );
  });
}

function pick(desk: Desk, items: readonly ApprovalItem[]): Promise<readonly ApprovalItem[]> {
  const list = vscode.window.createQuickPick<ApprovalItem>();
  list.title = 'Approve: these tasks may then run unattended on this machine';
  list.placeholder = 'Read each row; pick those that may run';
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.items = items;
  // What is not seen as a whole is picked by a person's own hand.
  list.selectedItems = items.length === 1 ? items.filter(({ isCut }) => !isCut) : [];
  return new Promise((resolve) => {
    list.onDidTriggerItemButton(({ item, button }) => void pressButton(desk, item, button));
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
