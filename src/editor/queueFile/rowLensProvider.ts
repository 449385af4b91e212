import * as vscode from 'vscode';
import { commandId } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';
import { registerLenses } from './registerLenses';
import { isQueueFile } from '../state/queuePlace';
import { viewModelOf } from '../state/queueState';

/** Creates lenses on the rows of the queue file: the state of each task, and its actions. */
export function createRowLenses({ queueModel, queueFile }: ExtensionServices): vscode.Disposable {
  return registerLenses(queueModel, '**/*.csv', async (document) => {
    const viewModel = viewModelOf(queueModel.state);
    if (viewModel === null || !isQueueFile(document.uri, queueFile)) return [];
    const { planLenses } = await import('./rowLenses');
    const planned = planLenses(document.getText(), viewModel, vscode.workspace.isTrusted);
    return planned.map(({ line, title, command, taskId }) => {
      const range = new vscode.Range(line, 0, line, 0);
      const id = command === null ? 'claudeQueue.tasks.focus' : commandId(command);
      return new vscode.CodeLens(range, { title, command: id, arguments: [taskId] });
    });
  });
}
