import * as vscode from 'vscode';
import type { CheckedPlace } from '../../../app/checks/checked';
import { commandId } from '../../commandIds';

/** Opens a file at a place, or shows the row of a queue in Redis. */
export async function openPlace({ file, where }: CheckedPlace): Promise<void> {
  if (where?.kind === 'row') {
    await vscode.commands.executeCommand(commandId('showRow'), where.row);
    return;
  }
  const { line, column } = where ?? { line: 1, column: 1 };
  const at = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
}
