import * as vscode from 'vscode';
import { approveTasks, describePowers } from '../../app/approval';
import { refuseInsideRun } from '../../app/insideRun';
import type { ShownTask } from '../../app/picture';
import { shorten } from '../../app/words';
import type { Desk } from '../desk';
import { showLine } from './showRow';
import { idOf } from './taskTarget';

const PROMPT_WIDTH = 200;

type ApprovalItem = vscode.QuickPickItem & { readonly shown: ShownTask; readonly line: number };

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
  const items = waiting.map((shown) => toItem(shown, snapshot.lines.get(shown.task.definition.id) ?? 1));
  const chosen = await pick(desk, items);
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

/** A row that waits for approval, as a list shows it. */
export function toItem(shown: ShownTask, line: number): ApprovalItem {
  const { id, prompt, priority } = shown.task.definition;
  const text = prompt.replaceAll(/\s+/g, ' ').trim();
  return {
    label: `${String(id)}  ${shorten(text, PROMPT_WIDTH)}`,
    detail: [
      priority,
      ...describePowers(shown),
      ...(shown.task.state.reopened ? [shown.reason.text] : []),
    ].join(' · '),
    buttons: [SHOW_ROW],
    shown,
    line,
  };
}

const SHOW_ROW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('go-to-file'),
  tooltip: 'Show the whole row',
};

function pick(desk: Desk, items: readonly ApprovalItem[]): Promise<readonly ApprovalItem[]> {
  const list = vscode.window.createQuickPick<ApprovalItem>();
  list.title = 'Approve: these tasks may then run unattended on this machine';
  list.placeholder = 'Read each row; pick those that may run';
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.items = items;
  list.selectedItems = items.length === 1 ? items : [];
  return new Promise((resolve) => {
    list.onDidTriggerItemButton(({ item }) => void showLine(desk, item.line));
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
