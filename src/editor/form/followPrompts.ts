import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Queues } from '../state/queues';
import { showFailure } from '../status/failures';
import type { PromptEvent } from './promptFile';

/** Gives what happens to the prompts in editors to their forms; also to those that are closed. */
export function followPrompts(
  queues: Queues,
  { prompts, log }: { readonly prompts: string; readonly log: vscode.LogOutputChannel },
): vscode.Disposable {
  const receive = (uri: vscode.Uri, event: PromptEvent): void => {
    if (uri.scheme !== 'file' || !uri.fsPath.startsWith(`${prompts}${path.sep}`)) return;
    import('../commands/form/keptPrompts')
      .then(({ receivePrompt }) => receivePrompt(queues, uri, event))
      .catch((error: unknown) => showFailure({ log }, 'prompt', error));
  };
  const receiveTabs = (tabs: readonly vscode.Tab[], event: PromptEvent): void => {
    for (const { input } of tabs) if (input instanceof vscode.TabInputText) receive(input.uri, event);
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      receive(uri, 'saved');
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      receiveTabs(opened, 'opened');
      receiveTabs(closed, 'closed');
    }),
  );
}
