import * as vscode from 'vscode';
import type { Desk } from './desk';
import { pictureOf, type QueueState } from './queueState';

/** Rows of the queue file that cannot be understood, in the list of problems. */
export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('claudeQueue');
  private readonly subscription: vscode.Disposable;

  constructor({ keeper, queueFile }: Desk) {
    this.subscription = keeper.onDidChange((state) => {
      if (queueFile !== null) this.collection.set(vscode.Uri.file(queueFile), diagnose(state));
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }
}

function diagnose(state: QueueState): vscode.Diagnostic[] {
  return (pictureOf(state)?.snapshot.problems ?? []).map(({ line, column, message }) => {
    const at = new vscode.Position(line - 1, column - 1);
    const found = new vscode.Diagnostic(new vscode.Range(at, at), message, vscode.DiagnosticSeverity.Error);
    found.source = 'Claude Queue';
    return found;
  });
}
