import * as vscode from 'vscode';
import { findKeyTargets } from './keyTargets';
import { registerRowMarks } from './rowMarks';
import type { ShownTree, TreeSources } from './shownTree';
import type { TreeNode } from './treeChildren';

/** Tree of the tasks of all queues of the window. Its rows come with the first read of the queues. */
export class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly subscriptions: vscode.Disposable;
  private shown: Promise<ShownTree> | null = null;

  constructor(
    private readonly sources: TreeSources,
    dragAndDropController: vscode.TreeDragAndDropController<TreeNode>,
  ) {
    this.view = vscode.window.createTreeView('claudeQueue.tasks', {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController,
    });
    this.subscriptions = vscode.Disposable.from(this.changed, this.view, registerRowMarks());
  }

  /** Returns the rows once the queues were read; until then the view shows that it loads. */
  open(): Promise<ShownTree> {
    this.shown ??= this.create();
    return this.shown;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return (await this.open()).getChildren(node);
  }

  async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    return (await this.open()).getTreeItem(node);
  }

  /** Makes the hover when the mouse rests on a row that has actions. */
  async resolveTreeItem(item: vscode.TreeItem, { row }: TreeNode): Promise<vscode.TreeItem> {
    const queue = this.sources.queues.find(row.queue);
    if (item.tooltip !== undefined || queue === undefined) return item;
    const { describeRow } = await import('../hover/rowMarkdown');
    item.tooltip = await describeRow(queue.services, row);
    return item;
  }

  /** Returns the rows that a key acts on. */
  async findKeyTargets(): Promise<readonly unknown[]> {
    const selected = this.view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const toggled = this.view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    return findKeyTargets(selected, toggled);
  }

  dispose(): void {
    this.subscriptions.dispose();
    void this.shown?.then((shown) => {
      shown.dispose();
    });
  }

  private async create(): Promise<ShownTree> {
    await this.sources.queues.awaitFirstReads();
    const { ShownTree: Tree } = await import('./shownTree');
    return new Tree(this.sources, {
      view: this.view,
      draw: (nodes) => {
        this.changed.fire(nodes);
      },
    });
  }
}
