import * as path from 'node:path';
import * as vscode from 'vscode';
import { commandId } from './commandIds';
import type { Desk } from './desk';
import { isQueueFile } from './queuePlace';
import { pictureOf } from './queueState';

/** Lenses on NEXT_TASK.md: what became of the task in it. */
export class NextTaskLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly desk: Desk) {
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      desk.keeper.onDidChange(() => {
        this.changed.fire();
      }),
      vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern: '**/NEXT_TASK.md' }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { queueFile, keeper } = this.desk;
    if (queueFile === null || !vscode.workspace.isTrusted) return [];
    const beside = path.join(path.dirname(document.uri.fsPath), path.basename(queueFile));
    if (!isQueueFile(vscode.Uri.file(beside), queueFile)) return [];
    const claims = pictureOf(keeper.state)?.snapshot.claims ?? [];
    const { readNextTask } = await import('../app/nextTask');
    const id = readNextTask(document.getText());
    if (!claims.some((claim) => claim.id === id && claim.owner.kind === 'person')) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    return LENSES.map(
      ([title, command]) => new vscode.CodeLens(top, { title, command: commandId(command), arguments: [id] }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

const LENSES = [
  ['Done', 'markDone'],
  ['Failed', 'markFailed'],
  ['Give Back', 'giveBack'],
  ['Run Interactively', 'runTaskInteractively'],
] as const;
