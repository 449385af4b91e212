import * as vscode from 'vscode';
import { runSafely } from '../commands';
import type { ExtensionServices } from '../state/extensionServices';
import type { TreeNode } from './treeNodes';

/** Type of the data of dragged rows: that of the view itself. */
const ROWS = 'application/vnd.code.tree.claudequeue.tasks';

/** Lets rows of the tree be dropped on one another, which changes the order in which tasks run. */
export function createDragAndDrop(services: ExtensionServices): vscode.TreeDragAndDropController<TreeNode> {
  return {
    dragMimeTypes: [ROWS],
    dropMimeTypes: [ROWS],
    handleDrag: (rows, data) => {
      data.set(ROWS, new vscode.DataTransferItem(rows));
    },
    handleDrop: async (target, data) => {
      const rows: unknown = data.get(ROWS)?.value;
      await runSafely(services, 'drop', async () => {
        const { dropRows } = await import('../commands/rows/drop');
        await dropRows(services, Array.isArray(rows) ? rows : [], target);
      });
    },
  };
}
