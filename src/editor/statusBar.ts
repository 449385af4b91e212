import * as vscode from 'vscode';
import type { QueueKeeper } from './queueKeeper';
import { describeStatus } from './statusText';

/** The queue in the status bar, on the left: it concerns the whole workspace. */
export function createStatusBar(keeper: QueueKeeper): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('claudeQueue.status', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Claude Queue';
  item.command = 'claudeQueue.tasks.focus';
  const subscription = keeper.onDidChange((state) => {
    const status = describeStatus(state);
    if (status === null) {
      item.hide();
      return;
    }
    item.text = status.text;
    item.tooltip = status.tooltip.join('\n');
    item.accessibilityInformation = { label: status.spoken };
    item.backgroundColor = status.warning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    item.show();
  });
  return vscode.Disposable.from(item, subscription);
}
