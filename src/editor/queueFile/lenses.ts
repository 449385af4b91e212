import * as vscode from 'vscode';
import { commandId } from '../commandIds';
import type { Desk } from '../state/extensionServices';
import { registerLenses } from './lensProvider';
import { isQueueFile } from '../state/queuePlace';
import { pictureOf } from '../state/queueState';

/** Lenses on the rows of the queue file: what each task is, and what can be done with it. */
export function createRowLenses({ keeper, queueFile }: Desk): vscode.Disposable {
  return registerLenses(keeper, '**/*.csv', async (document) => {
    const picture = pictureOf(keeper.state);
    if (picture === null || !isQueueFile(document.uri, queueFile)) return [];
    const { planLenses } = await import('./lensPlan');
    const planned = planLenses(document.getText(), picture, vscode.workspace.isTrusted);
    return planned.map(({ line, title, command, taskId }) => {
      const range = new vscode.Range(line, 0, line, 0);
      const id = command === null ? 'claudeQueue.tasks.focus' : commandId(command);
      return new vscode.CodeLens(range, { title, command: id, arguments: [taskId] });
    });
  });
}
