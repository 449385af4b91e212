import * as vscode from 'vscode';
import { commandId } from './commandIds';
import type { Desk } from './desk';
import { isQueueFile } from './queuePlace';
import { pictureOf } from './queueState';

/** Lenses on the rows of the queue file: what each task is, and what can be done with it. */
export class RowLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly desk: Desk) {
    // By path, never by language: extensions that colour CSV files change the language.
    const selector = { scheme: 'file', pattern: '**/*.csv' };
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      desk.keeper.onDidChange(() => {
        this.changed.fire();
      }),
      vscode.languages.registerCodeLensProvider(selector, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const picture = pictureOf(this.desk.keeper.state);
    if (picture === null || !isQueueFile(document.uri, this.desk.queueFile)) return [];
    const { planLenses } = await import('./lensPlan');
    const planned = planLenses(document.getText(), picture, vscode.workspace.isTrusted);
    return planned.map(({ line, title, command, taskId }) => {
      const range = new vscode.Range(line, 0, line, 0);
      const id = command === null ? 'claudeQueue.tasks.focus' : commandId(command);
      return new vscode.CodeLens(range, { title, command: id, arguments: [taskId] });
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
