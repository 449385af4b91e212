import * as vscode from 'vscode';
import { t } from '../../platform/text/translate';
import { commandId } from '../commandIds';
import { OWN_SOURCE } from '../ownDiagnostics';
import { isQueueFile } from '../state/queuePlace';
import type { ProblemTarget } from './attachments';

/**
 * Offers to hand a problem of any file to a new task, in the quick fixes of the editor and of the problems view. Not a problem
 * of the settings: no task starts until those are fixed.
 */
export function createProblemActions(queueFiles: () => readonly string[]): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    {
      provideCodeActions: ({ uri }, _, { diagnostics }) =>
        !vscode.workspace.isTrusted || queueFiles().some((file) => isQueueFile(uri, file))
          ? []
          : diagnostics
              .filter(({ source }) => source !== OWN_SOURCE)
              .map((diagnostic) => toAction(uri, diagnostic)),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}

function toAction(uri: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = t('Add to Claude Queue…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const target: ProblemTarget<vscode.Uri> = {
    uri,
    line: diagnostic.range.start.line + 1,
    source: diagnostic.source ?? '',
    code: codeOf(diagnostic),
    message: diagnostic.message,
  };
  action.diagnostics = [diagnostic];
  action.command = { title, command: commandId('addFromProblem'), arguments: [target] };
  return action;
}

function codeOf({ code }: vscode.Diagnostic): string {
  const value = typeof code === 'object' ? code.value : code;
  return value === undefined ? '' : String(value);
}
