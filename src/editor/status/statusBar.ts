import * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import { commandId } from '../commandIds';
import type { HoverLink } from '../hover/hoverText';
import { toMarkdown } from '../hover/trustedMarkdown';
import { findOwnCommands } from '../state/ownCommands';
import type { Queues } from '../state/queues';
import { hasQueue, type QueueState } from '../state/queueState';
import type { WindowServices } from '../state/services';
import { planMenu } from './queueMenu';
import { linkMenu, linkToMenu } from './statusLinks';
import { describeStatuses } from './statusBarText';

const SECOND_MS = 1_000;

/** Shows the queues in the status bar, on the left, because they concern the whole workspace. */
export function createStatusBar(queues: Queues): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('claudeQueue.status', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Claude Queue';
  item.command = commandId('showMenu');
  let tick: NodeJS.Timeout | undefined;
  const show = (toNow: (state: QueueState) => QueueState): void => {
    clearTimeout(tick);
    const shown = queues.all.map(({ services }) => ({ services, state: toNow(services.queueModel.state) }));
    if (showIn(item, shown)) tick = setTimeout(() => show(moveToNow), SECOND_MS);
  };
  const subscription = queues.onDidChange((change) => {
    if (change !== 'live') show((state) => state);
  });
  show((state) => state);
  return vscode.Disposable.from(item, subscription, { dispose: () => clearTimeout(tick) });
}

interface Shown {
  readonly services: WindowServices;
  readonly state: QueueState;
}

/** Shows the states in the item; returns whether it must be updated a second later. */
function showIn(item: vscode.StatusBarItem, shown: readonly Shown[]): boolean {
  const status = describeStatuses(shown.map(({ services: { name }, state }) => ({ name, state })));
  if (status === null) {
    item.hide();
    return false;
  }
  item.text = status.text;
  item.tooltip = toMarkdown({ lines: status.tooltip, links: linkQueues(shown.filter(hasQueue)) });
  item.accessibilityInformation = { label: status.spoken };
  item.backgroundColor = status.warning
    ? new vscode.ThemeColor('statusBarItem.warningBackground')
    : undefined;
  item.show();
  return status.countsDown;
}

/** Returns links to what matters now; with several queues, to the menu of each. */
function linkQueues(shown: readonly Shown[]): readonly HoverLink[] {
  const [first, ...others] = shown;
  if (first === undefined) return [];
  const { services, state } = first;
  if (others.length > 0) return shown.map(({ services: { key, name } }) => linkToMenu(key, name));
  const hasFile = services.queueFile !== null;
  const entries = planMenu(state, { isTrusted: vscode.workspace.isTrusted, hasFile });
  return linkMenu(entries, services.key, findOwnCommands(services));
}

/** Returns the same view model with the current time. */
function moveToNow(state: QueueState): QueueState {
  if (state.kind !== 'ready') return state;
  const { viewModel } = state;
  return { ...state, viewModel: { ...viewModel, world: { ...viewModel.world, now: systemClock.now() } } };
}
