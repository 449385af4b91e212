import * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import { commandId } from '../commandIds';
import type { QueueModel } from '../state/queueModel';
import type { QueueState } from '../state/queueState';
import { describeStatus } from './statusBarText';

const SECOND_MS = 1_000;

/** Shows the queue in the status bar, on the left, because it concerns the whole workspace. */
export function createStatusBar(queueModel: QueueModel): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('claudeQueue.status', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Claude Queue';
  item.command = commandId('showMenu');
  let tick: NodeJS.Timeout | undefined;
  const show = (state: QueueState): void => {
    clearTimeout(tick);
    if (showIn(item, state)) tick = setTimeout(() => show(moveToNow(state)), SECOND_MS);
  };
  return vscode.Disposable.from(item, queueModel.onDidChange(show), { dispose: () => clearTimeout(tick) });
}

/** Shows the state in the item; returns whether it must be updated a second later. */
function showIn(item: vscode.StatusBarItem, state: QueueState): boolean {
  const status = describeStatus(state);
  if (status === null) {
    item.hide();
    return false;
  }
  item.text = status.text;
  item.tooltip = status.tooltip.join('\n');
  item.accessibilityInformation = { label: status.spoken };
  item.backgroundColor = status.warning
    ? new vscode.ThemeColor('statusBarItem.warningBackground')
    : undefined;
  item.show();
  return status.countsDown;
}

/** Returns the same view model with the current time. */
function moveToNow(state: QueueState): QueueState {
  if (state.kind !== 'ready') return state;
  const { viewModel } = state;
  return { ...state, viewModel: { ...viewModel, world: { ...viewModel.world, now: systemClock.now() } } };
}
