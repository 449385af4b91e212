import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../../state/extensionServices';
import { viewModelOf } from '../../state/queueState';
import { toEditorRange } from '../document/editorRange';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';
import { t } from '../../../platform/text/translate';

/** Folder of prompts that were moved out of their cells, beside the queue file. */
const PROMPTS = 'prompts';

/** Offers to move a long prompt at the cursor into a file. File and cells are one step of Undo. */
export function createPromptMove({ queueModel, queueFile }: ExtensionServices): vscode.Disposable {
  const provideCodeActions = async (
    open: vscode.TextDocument,
    { start }: vscode.Range,
  ): Promise<vscode.CodeAction[]> => {
    const document = await parseQueueFile(open, queueFile);
    const found = document?.cellAt(start);
    if (document === null || found?.cell.column !== 'prompt' || found.row === null) return [];
    const { hasLongPrompt, planMove } = await import('./movePrompt');
    const canWrite = vscode.workspace.isTrusted && viewModelOf(queueModel.state) !== null;
    if (!canWrite || !hasLongPrompt(found.row)) return [];
    const { folder, workspace } = (await queueModel.useQueue()).queueContext.paths;
    const uriOf = (file: string): vscode.Uri => vscode.Uri.file(path.join(workspace, file));
    const target = path.relative(workspace, path.join(folder, PROMPTS));
    const move = planMove(document, found.row, target, (file) => !existsSync(uriOf(file).fsPath));
    if (move === null) return [];
    const action = new vscode.CodeAction(t('Move Prompt to File'), vscode.CodeActionKind.RefactorExtract);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.createFile(uriOf(move.file), { contents: Buffer.from(move.content) });
    for (const { range, text } of move.edits) action.edit.replace(open.uri, toEditorRange(range), text);
    return [action];
  };
  return vscode.languages.registerCodeActionsProvider(
    CSV_FILES,
    { provideCodeActions },
    { providedCodeActionKinds: [vscode.CodeActionKind.RefactorExtract] },
  );
}
