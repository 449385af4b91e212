import * as vscode from 'vscode';
import type { QueueModel } from '../state/queueModel';

/** Registers lenses on files by their path. They are requested again whenever the queue changes. */
export function registerLenses(
  queueModel: QueueModel,
  pattern: string,
  provide: (document: vscode.TextDocument) => Promise<vscode.CodeLens[]>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider = { onDidChangeCodeLenses: changed.event, provideCodeLenses: provide };
  return vscode.Disposable.from(
    changed,
    queueModel.onDidChange(() => {
      changed.fire();
    }),
    // By path, never by language: extensions that colour CSV files change the language.
    vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern }, provider),
  );
}
