import * as vscode from 'vscode';
import type { QueueModel } from '../../state/queueModel';

/**
 * Registers lenses on files by their path. They are requested again whenever the queue changes, and when `again`
 * fires.
 */
export function registerLenses(
  queueModel: QueueModel,
  pattern: string,
  provide: (document: vscode.TextDocument, cancel: vscode.CancellationToken) => Promise<vscode.CodeLens[]>,
  again?: vscode.Event<void>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const fire = (): void => {
    changed.fire();
  };
  const provider = { onDidChangeCodeLenses: changed.event, provideCodeLenses: provide };
  return vscode.Disposable.from(
    changed,
    queueModel.onDidChange(fire),
    ...(again === undefined ? [] : [again(fire)]),
    // By path, never by language: extensions that colour CSV files change the language.
    vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern }, provider),
  );
}
