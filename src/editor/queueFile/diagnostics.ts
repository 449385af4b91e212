import * as vscode from 'vscode';
import { describeRowProblem } from '../../app/present/problems/rowProblem';
import type { ExtensionServices } from '../state/extensionServices';
import { isQueueFile } from '../state/queuePlace';
import { viewModelOf, type QueueState } from '../state/queueState';

/** Shows invalid rows of the queue file in the list of problems. */
export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('claudeQueue');
  private readonly subscription: vscode.Disposable;

  constructor(private readonly services: ExtensionServices) {
    const show = (): void => {
      this.show();
    };
    this.subscription = vscode.Disposable.from(
      services.queueModel.onDidChange(show),
      vscode.workspace.onDidOpenTextDocument(show),
      vscode.workspace.onDidCloseTextDocument(show),
    );
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }

  /** Shows problems under the path by which the file is open, so that each is listed once. */
  private show(): void {
    const { queueModel, queueFile } = this.services;
    if (queueFile === null) return;
    const open = vscode.workspace.textDocuments.find(({ uri }) => isQueueFile(uri, queueFile));
    const found = diagnose(queueModel.state);
    this.collection.clear();
    if (found.length > 0) this.collection.set(open?.uri ?? vscode.Uri.file(queueFile), found);
  }
}

function diagnose(state: QueueState): vscode.Diagnostic[] {
  return (viewModelOf(state)?.snapshot.problems ?? []).flatMap((problem) => {
    if (problem.where.kind !== 'file') return [];
    const { line, column } = problem.where;
    const at = new vscode.Position(line - 1, column - 1);
    const message = describeRowProblem(problem);
    const found = new vscode.Diagnostic(new vscode.Range(at, at), message, vscode.DiagnosticSeverity.Error);
    found.source = 'Claude Queue';
    return [found];
  });
}
