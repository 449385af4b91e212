import * as vscode from 'vscode';
import { runSafely } from '../commands';
import type { Queues } from '../state/queues';
import type { TreeNode } from './treeChildren';

/** Type of the data of dragged rows: that of the view itself. */
const ROWS = 'application/vnd.code.tree.claudequeue.tasks';

/** Lets rows of the tree be dropped on one another, which changes the order in which the tasks of a queue run. */
export function createDragAndDrop(queues: Queues): vscode.TreeDragAndDropController<TreeNode> {
  return {
    dragMimeTypes: [ROWS],
    dropMimeTypes: [ROWS],
    handleDrag: (rows, data) => {
      data.set(ROWS, new vscode.DataTransferItem(rows));
    },
    handleDrop: async (target, data) => {
      const dragged: unknown = data.get(ROWS)?.value;
      const rows: readonly unknown[] = Array.isArray(dragged) ? dragged : [];
      const queue = queues.find(target?.queue) ?? queues.all[0];
      if (queue === undefined) return;
      await runSafely(queue.services, 'drop', async () => {
        const { dropRows } = await import('../commands/rows/drop');
        await dropRows(queue.services, rows, target);
      });
    },
  };
}
