import * as vscode from 'vscode';
import { EXAMPLE_PROMPT, makeQueue } from '../../../app/actions/queue/newQueue';
import { isProblem } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';
import { locateQueue } from './closedQueue';
import { offerAdoption } from './offerAdoption';

/** Creates a queue with an example in the workspace, and shows what its cells mean. @throws Problem `queue-exists` */
export async function createQueue(services: ExtensionServices): Promise<void> {
  const queueContext = await locateQueue(services);
  try {
    await makeQueue(queueContext, { example: true });
  } catch (error) {
    await services.queueModel.refresh();
    if (!isProblem(error, 'queue-exists') || (await offerAdoption(services)) !== 'adopted') throw error;
  }
  await services.queueModel.refresh();
  await offerAdoption(services);
  await showExample(vscode.Uri.file(queueContext.options.queue));
}

/** Opens the file with the cursor behind the prompt of the example, and its hover. */
async function showExample(file: vscode.Uri): Promise<void> {
  const editor = await vscode.window.showTextDocument(file);
  const at = editor.document.getText().indexOf(EXAMPLE_PROMPT);
  if (at < 0) return;
  const end = editor.document.positionAt(at + EXAMPLE_PROMPT.length);
  editor.selection = new vscode.Selection(end, end);
  await vscode.commands.executeCommand('editor.action.showHover');
}
