import * as vscode from 'vscode';
import { systemClock } from '../../platform/clock';
import type { QueueModel } from '../state/queueModel';
import type { TreeChoices } from '../state/treeChoices';
import type { LiveActions } from './live/liveActions';
import { findKeyTargets } from './keyTargets';
import { RedrawPace } from './redrawPace';
import { registerRowMarks } from './rowMarks';
import { countForUser, describeAttention } from './rows/taskGroups';
import { toTreeItem } from './treeItem';
import { TreeNodes, type Redraw, type TreeNode } from './treeNodes';
import type { TreeOptions } from './rows/treeOptions';
import { composeRows } from './rows/treeRows';

/** Parts that the tree shows. */
export interface TreeSources {
  readonly queueModel: QueueModel;
  readonly choices: TreeChoices;
  readonly liveActions: LiveActions;
  /** Path of `dist/cli.js` of this extension. */
  readonly program: string;
}

/** Tree of tasks, as in the state. */
export class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly nodes = new TreeNodes();
  /** Nodes to redraw at the next redraw. */
  private due: Redraw = [];
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly pace = new RedrawPace(() => {
    const { due } = this;
    this.due = [];
    this.nodes.draw();
    this.changed.fire(due === 'all' ? undefined : [...due]);
  });
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly sources: TreeSources,
    dragAndDropController: vscode.TreeDragAndDropController<TreeNode>,
  ) {
    const { queueModel, choices, liveActions } = sources;
    this.view = vscode.window.createTreeView('claudeQueue.tasks', {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController,
    });
    const show = (): void => {
      this.show();
    };
    this.subscriptions = vscode.Disposable.from(
      registerRowMarks(),
      queueModel.onDidChange(show),
      choices.onDidChange(show),
      liveActions.onDidChange(show),
      this.view.onDidChangeVisibility(({ visible }) => {
        liveActions.show(visible);
      }),
    );
    liveActions.show(this.view.visible);
  }

  /** Returns the rows. Waits for the first read of the queue; until then the view shows that it loads. */
  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return [...node.drawn];
    if (this.sources.queueModel.state.kind === 'opening') await this.sources.queueModel.refresh();
    this.nodes.draw();
    return [...this.nodes.roots];
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
    if (item.tooltip !== undefined) return item;
    const { describeRow } = await import('../hover/rowMarkdown');
    item.tooltip = await describeRow(this.sources, row);
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(this.view, this.subscriptions, this.pace, this.changed).dispose();
  }

  private show(): void {
    const { queueModel, choices, liveActions } = this.sources;
    const { state } = queueModel;
    const now = systemClock.now();
    const surroundings = { live: liveActions.actions, isTrusted: vscode.workspace.isTrusted, now };
    const redraw = this.nodes.update(composeRows(state, choices.options, surroundings));
    const waiting = state.kind === 'ready' ? countForUser(state.viewModel) : 0;
    this.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: describeAttention(waiting) };
    this.redraw(redraw);
    // After the rows, and only if they change: VS Code keeps rows back for 200 ms after a message, even the same.
    const message = state.kind === 'failing' && state.redis === undefined ? state.message : '';
    if (message !== (this.view.message ?? '')) this.view.message = message;
    const description = describeChoices(choices.options);
    if (description !== (this.view.description ?? '')) this.view.description = description;
  }

  /** While a tree is redrawn its buttons do not know their rows, so only what changed is. */
  private redraw(redraw: Redraw): void {
    if (redraw !== 'all' && redraw.length === 0) return;
    this.due = redraw === 'all' || this.due === 'all' ? 'all' : [...new Set([...this.due, ...redraw])];
    this.pace.request();
  }
}

function describeChoices({ grouping, filter }: TreeOptions): string {
  const parts = [
    ...(grouping === 'state' ? [] : [`by ${grouping}`]),
    ...(filter === '' ? [] : [`filter: ${filter}`]),
  ];
  return parts.join(', ');
}
