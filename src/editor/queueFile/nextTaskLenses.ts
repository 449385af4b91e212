import * as path from 'node:path';
import * as vscode from 'vscode';
import { commandId } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';
import { registerLenses } from './lensProvider';
import { isQueueFile } from '../state/queuePlace';
import { viewModelOf } from '../state/queueState';

const LENSES = [
  ['Done', 'markDone'],
  ['Failed', 'markFailed'],
  ['Give Back', 'giveBack'],
  ['Run Interactively', 'runTaskInteractively'],
] as const;

/** Lenses on NEXT_TASK.md: what became of the task in it. */
export function createNextTaskLenses({ queueModel, queueFile }: ExtensionServices): vscode.Disposable {
  return registerLenses(queueModel, '**/NEXT_TASK.md', async (document) => {
    if (queueFile === null || !vscode.workspace.isTrusted) return [];
    const beside = path.join(path.dirname(document.uri.fsPath), path.basename(queueFile));
    if (!isQueueFile(vscode.Uri.file(beside), queueFile)) return [];
    const claims = viewModelOf(queueModel.state)?.snapshot.claims ?? [];
    const { readNextTask } = await import('../../app/actions/nextTask');
    const id = readNextTask(document.getText());
    if (!claims.some((claim) => claim.id === id && claim.owner.kind === 'person')) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    return LENSES.map(
      ([title, command]) => new vscode.CodeLens(top, { title, command: commandId(command), arguments: [id] }),
    );
  });
}
