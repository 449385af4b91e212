import * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import type { Queues } from '../state/queues';
import type { QueueState } from '../state/queueState';
import type { TreeChoices } from '../state/treeChoices';
import { findKeyTargets } from './keyTargets';
import { RedrawPace } from './redrawPace';
import { registerRowMarks } from './rowMarks';
import { countForUser, describeAttention } from './rows/taskGroups';
import { hideLinks } from '../hiddenLinks';
import { toTreeItem } from './treeItem';
import { TreeChildren, type Redraw, type TreeNode } from './treeChildren';
import type { Grouping, TreeOptions } from './rows/treeOptions';
import { composeRoots, hasQueue } from './rows/rootRows';
import { t } from '../../platform/text/translate';

/** Parts that the tree shows. */
export interface TreeSources {
  readonly queues: Queues;
  readonly choices: TreeChoices;
}

/** Tree of the tasks of all queues of the window. */
export class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly nodes = new TreeChildren();
  /** Nodes to redraw at the next redraw. */
  private due: Redraw = [];
  /** Number of requests for the top rows that are not answered. */
  private pending = 0;
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly pace = new RedrawPace(() => {
    const { due } = this;
    this.due = [];
    this.changed.fire(due === 'all' ? undefined : [...due]);
  });
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly sources: TreeSources,
    dragAndDropController: vscode.TreeDragAndDropController<TreeNode>,
  ) {
    const { queues, choices } = sources;
    this.view = vscode.window.createTreeView('claudeQueue.tasks', {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController,
    });
    this.subscriptions = vscode.Disposable.from(
      registerRowMarks(),
      queues.onDidChange((change) => {
        if (change === 'list') this.follow();
        this.show();
      }),
      choices.onDidChange(() => {
        this.show();
      }),
      this.view.onDidChangeVisibility(() => {
        this.follow();
      }),
    );
  }

  /** Returns the rows. Waits for the first read of the queues; until then the view shows that it loads. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return this.nodes.showBelow(node);
    this.pending += 1;
    await this.sources.queues.awaitFirstReads();
    this.pending -= 1;
    return this.nodes.showRoots();
  }

  /** Returns the rows that a key acts on. */
  async findKeyTargets(): Promise<readonly unknown[]> {
    const selected = this.view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const toggled = this.view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    return findKeyTargets(selected, toggled);
  }

  getTreeItem({ row }: TreeNode): vscode.TreeItem {
    return toTreeItem(row);
  }

  /** Makes the hover when the mouse rests on a row that has actions. */
  async resolveTreeItem(item: vscode.TreeItem, { row }: TreeNode): Promise<vscode.TreeItem> {
    const queue = this.sources.queues.find(row.queue);
    if (item.tooltip !== undefined || queue === undefined) return item;
    const { describeRow } = await import('../hover/rowMarkdown');
    item.tooltip = await describeRow(queue.services, row);
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(this.view, this.subscriptions, this.pace, this.changed).dispose();
  }

  /** Follows what Claude does, and forecasts starts, only while they are shown. */
  private follow(): void {
    for (const { liveActions, expectedStarts } of this.sources.queues.all) {
      liveActions.show(this.view.visible);
      expectedStarts.show(this.view.visible);
    }
  }

  private show(): void {
    const { queues, choices } = this.sources;
    const shown = queues.all.map(({ services: { key, name, queueModel }, liveActions, expectedStarts }) => ({
      ...{ key, name, state: queueModel.state, live: liveActions.actions },
      starts: expectedStarts.starts,
    }));
    const around = { isTrusted: vscode.workspace.isTrusted, now: systemClock.now() };
    const redraw = this.nodes.update(composeRoots(shown, choices.options, around));
    const waiting = shown.reduce((sum, { state }) => sum + countWaiting(state), 0);
    this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: describeAttention(waiting) };
    this.redraw(redraw);
    // After the rows, and only if they change: VS Code keeps rows back for 200 ms after a message, even the same.
    const message = messageOf(shown.filter(hasQueue));
    if (message !== (this.view.message ?? '')) this.view.message = message;
    const description = describeChoices(choices.options);
    if (description !== (this.view.description ?? '')) this.view.description = description;
  }

  /** While a tree is redrawn its buttons do not know their rows, so only what changed is. */
  private redraw(redraw: Redraw): void {
    if (redraw !== 'all' && redraw.length === 0) return;
    // VS Code draws the answer: it would ask again for the same rows.
    if (this.pending > 0) return;
    this.due = redraw === 'all' || this.due === 'all' ? 'all' : [...new Set([...this.due, ...redraw])];
    this.pace.request();
  }
}

function countWaiting(state: QueueState): number {
  return state.kind === 'ready' ? countForUser(state.viewModel) : 0;
}

/** Returns why the only queue cannot be read. Of several, the rows say it. */
function messageOf([only, ...others]: readonly { readonly state: QueueState }[]): string {
  if (only === undefined || others.length > 0) return '';
  const { state } = only;
  return state.kind === 'failing' && state.redis === undefined ? hideLinks(state.message) : '';
}

const GROUPED_BY: Readonly<Record<Exclude<Grouping, 'state'>, string>> = {
  priority: t('by priority'),
  user: t('by user'),
  folder: t('by folder'),
};

function describeChoices({ grouping, filter }: TreeOptions): string {
  const parts = [
    ...(grouping === 'state' ? [] : [GROUPED_BY[grouping]]),
    ...(filter === '' ? [] : [t('filter: {0}', filter)]),
  ];
  return parts.join(', ');
}
