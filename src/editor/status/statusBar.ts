import * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import { commandId } from '../commandIds';
import { toMarkdown } from '../hover/trustedMarkdown';
import { findOwnCommands } from '../state/ownCommands';
import type { QueueState } from '../state/queueState';
import type { WindowServices } from '../state/services';
import { planMenu } from './queueMenu';
import { linkMenu } from './statusLinks';
import { describeStatus } from './statusBarText';

type Parts = Pick<WindowServices, 'queueModel' | 'queueFile' | 'program'>;

const SECOND_MS = 1_000;

/** Shows the queue in the status bar, on the left, because it concerns the whole workspace. */
export function createStatusBar(services: Parts): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('claudeQueue.status', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Claude Queue';
  item.command = commandId('showMenu');
  let tick: NodeJS.Timeout | undefined;
  const show = (state: QueueState): void => {
    clearTimeout(tick);
    if (showIn(item, state, services)) tick = setTimeout(() => show(moveToNow(state)), SECOND_MS);
  };
  return vscode.Disposable.from(item, services.queueModel.onDidChange(show), {
    dispose: () => clearTimeout(tick),
  });
}

/** Shows the state in the item; returns whether it must be updated a second later. */
function showIn(item: vscode.StatusBarItem, state: QueueState, parts: Parts): boolean {
  const status = describeStatus(state);
  if (status === null) {
    item.hide();
    return false;
  }
  item.text = status.text;
  item.tooltip = describeHover(status.tooltip, state, parts);
  item.accessibilityInformation = { label: status.spoken };
  item.backgroundColor = status.warning
    ? new vscode.ThemeColor('statusBarItem.warningBackground')
    : undefined;
  item.show();
  return status.countsDown;
}

/** Describes the state in a hover, with links to what matters now. */
function describeHover(
  lines: readonly string[],
  state: QueueState,
  { queueFile, program }: Parts,
): vscode.MarkdownString {
  const entries = planMenu(state, { isTrusted: vscode.workspace.isTrusted, hasFile: queueFile !== null });
  return toMarkdown({ lines, links: linkMenu(entries, findOwnCommands({ program })) });
}

/** Returns the same view model with the current time. */
function moveToNow(state: QueueState): QueueState {
  if (state.kind !== 'ready') return state;
  const { viewModel } = state;
  return { ...state, viewModel: { ...viewModel, world: { ...viewModel.world, now: systemClock.now() } } };
}
