import * as vscode from 'vscode';
import type { CheckedPlace } from '../../../app/checks/checked';
import { callCommand } from '../../callCommand';
import type { WindowServices } from '../../state/services';

/** Opens a file at a place, or shows the row of a queue in Redis. */
export async function openPlace(
  services: Pick<WindowServices, 'key'>,
  { file, where }: CheckedPlace,
): Promise<void> {
  if (where?.kind === 'row') {
    await callCommand(services, 'showRow', where.row);
    return;
  }
  const { line, column } = where ?? { line: 1, column: 1 };
  const at = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
}
