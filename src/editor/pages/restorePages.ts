import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import { viewTypeOf } from './pagePanel';

/** Fills the tabs of attempts again that were open when the window was loaded again. Disposing closes them. */
export function restorePages(services: ExtensionServices): vscode.Disposable {
  const serializer: vscode.WebviewPanelSerializer = {
    deserializeWebviewPanel: async (panel, state: unknown) => {
      const { AttemptPage } = await import('../attempt/attemptPage');
      await AttemptPage.restore(services, panel, state);
    },
  };
  return vscode.Disposable.from(
    services.attempts,
    vscode.window.registerWebviewPanelSerializer(viewTypeOf('attempt'), serializer),
  );
}
