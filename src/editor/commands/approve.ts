import * as vscode from 'vscode';
import { approveTasks, describePowers, excerptPrompt } from '../../app/approval';
import { refuseInsideRun } from '../../app/insideRun';
import type { ShownTask } from '../../app/picture';
import type { Desk } from '../desk';
import { hideIcons } from '../iconWords';
import { showLine } from './showRow';
import { idOf } from './taskTarget';

/** A list draws no more than this of a line, whatever it is given. */
const PROMPT_WIDTH = 80;
const DETAIL_WIDTH = 90;

interface ApprovalItem extends vscode.QuickPickItem {
  readonly shown: ShownTask;
  readonly line: number;
  /** Whether the list does not show all that is approved with it. */
  readonly isCut: boolean;
}

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
  const { text, leftOut } = excerptPrompt(prompt, PROMPT_WIDTH);
  const reopened = shown.task.state.reopened ? [shown.reason.text] : [];
  const powers = [priority, ...describePowers(shown), ...reopened].join(' · ');
  const isLong = powers.length > DETAIL_WIDTH;
  const cut = [...(leftOut === null ? [] : [leftOut]), ...(isLong ? ['more powers than fit here'] : [])];
  const detail = `${cut.length === 0 ? '' : `… ${cut.join(', ')}: read the row · `}${powers}`;
  return {
    label: hideIcons(`${String(id)}  ${text}`),
    detail: hideIcons(detail),
    buttons: [SHOW_ROW],
    shown,
    line,
    isCut: cut.length > 0,
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
  // What is not seen as a whole is picked by a person's own hand.
  list.selectedItems = items.length === 1 ? items.filter(({ isCut }) => !isCut) : [];
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
