import * as vscode from 'vscode';
import { commandId } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';

/** Shows once, with a button for the password, that Redis refuses this window. */
export function askForPassword({ queueModel }: ExtensionServices): vscode.Disposable {
  let wasShown = false;
  return queueModel.onDidChange((state) => {
    if (wasShown || state.kind !== 'failing' || state.redis !== 'refused') return;
    wasShown = true;
    void offerPassword(state.message);
  });
}

async function offerPassword(message: string): Promise<void> {
  const set = 'Set Redis Password…';
  const chosen = await vscode.window.showWarningMessage(message, set);
  if (chosen === set) await vscode.commands.executeCommand(commandId('setRedisPassword'));
}
