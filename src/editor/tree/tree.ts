import * as vscode from 'vscode';
import type { Clock } from '../../platform/clock';
import { findKeyTargets } from './keyTargets';
import { registerRowMarks } from './rowMarks';
import type { ShownTree, TreeSources } from './shownTree';
import type { TreeNode } from './treeChildren';

/** Milliseconds in which VS Code asks for rows, or draws those that it was given. */
const ROWS_MS = 200;
/** Longest wait until VS Code asks for the rows of a view that it shows, in ms. */
const LONGEST_MS = 2_000;

/** Tree of the tasks of all queues of the window. Its rows come with the first read of the queues. */
export class TaskTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly subscriptions: vscode.Disposable;
  private shown: Promise<ShownTree> | null = null;
  private endFirstRows: () => void = () => undefined;
  /** Resolves once VS Code has the first rows below others, or there are none. */
  private readonly firstRows = new Promise<void>((resolve) => {
    this.endFirstRows = resolve;
  });

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
    const nodes = await (await this.open()).getChildren(node);
    if (node !== undefined || nodes.length === 0) this.endFirstRows();
    return nodes;
  }

  /**
   * Resolves once VS Code has drawn the first rows of a queue that was read, or does not show them. Work that they do not
   * need would delay them: VS Code asks for a row, and later for what is below it.
   */
  async awaitRows(clock: Clock): Promise<void> {
    await clock.sleep(ROWS_MS);
    if (!this.view.visible) return;
    await Promise.race([this.firstRows, clock.sleep(LONGEST_MS)]);
    await clock.sleep(ROWS_MS);
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
