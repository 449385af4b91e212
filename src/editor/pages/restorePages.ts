import * as vscode from 'vscode';
import { callCommand } from '../callCommand';
import type { CommandName } from '../commandIds';
import type { Queues } from '../state/queues';
import { unbindTarget } from '../state/queueTarget';
import { viewTypeOf } from './pagePanel';

/** Pages that only read, with the command that fills them. */
const READING: Readonly<Record<string, CommandName>> = { history: 'showHistory', usage: 'showUsage' };

/** Fills the tabs again that were open when the window was loaded again. Those of unknown queues are closed. */
export function restorePages(queues: Queues): vscode.Disposable {
  const attempts = restore('attempt', async (panel, state) => {
    const { AttemptPage } = await import('../attempt/attemptPage');
    await AttemptPage.restore(queues, panel, state);
  });
  const reading = Object.entries(READING).map(([kind, command]) =>
    restore(kind, async (panel, state) => {
      const services = queues.find(unbindTarget(state).queue ?? undefined)?.services;
      services?.pages.adopt(kind, panel);
      if (services === undefined) panel.dispose();
      else await callCommand(services, command);
    }),
  );
  return vscode.Disposable.from(attempts, ...reading);
}

function restore(
  kind: string,
  fill: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewTypeOf(kind), { deserializeWebviewPanel: fill });
}
