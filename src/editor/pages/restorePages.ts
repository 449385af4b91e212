import * as vscode from 'vscode';
import { commandId, type CommandName } from '../commandIds';
import type { ExtensionServices } from '../state/extensionServices';
import { viewTypeOf } from './pagePanel';

/** Pages that only read, with the command that fills them. */
const READING: Readonly<Record<string, CommandName>> = { history: 'showHistory', usage: 'showUsage' };

/** Fills the tabs again that were open when the window was loaded again. Disposing closes those of attempts. */
export function restorePages(services: ExtensionServices): vscode.Disposable {
  const attempts = restore('attempt', async (panel, state) => {
    const { AttemptPage } = await import('../attempt/attemptPage');
    await AttemptPage.restore(services, panel, state);
  });
  const reading = Object.entries(READING).map(([kind, command]) =>
    restore(kind, async (panel) => {
      services.pages.adopt(kind, panel);
      await vscode.commands.executeCommand(commandId(command));
    }),
  );
  return vscode.Disposable.from(services.attempts, attempts, ...reading);
}

function restore(
  kind: string,
  fill: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewTypeOf(kind), { deserializeWebviewPanel: fill });
}
