import * as vscode from 'vscode';
import { Problem, rowNumberOf } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';
import { viewModelOf } from '../../state/queueState';
import { idOf } from './taskTarget';

/** Opens the queue file. @throws Problem `queue-missing` */
export async function openQueueFile(services: ExtensionServices): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(fileOf(services)));
}

/** Shows the row of a task, or at a line. */
export async function showRow(services: ExtensionServices, target: unknown): Promise<void> {
  // Rows of the tree pass their line; menus pass the row itself.
  if (typeof target === 'number') return showLine(services, target);
  const id = idOf(target);
  const where = id === null ? undefined : viewModelOf(services.queueModel.state)?.snapshot.places.get(id);
  await showLine(services, where === undefined ? (lineOf(target) ?? 1) : rowNumberOf(where));
}

/** Shows a line of the queue file, from 1, and leaves the focus where it is. */
export async function showLine(services: ExtensionServices, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(fileOf(services));
  const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
  const selection = new vscode.Range(at, at);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: true, selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function lineOf(target: unknown): number | undefined {
  if (typeof target !== 'object' || target === null || !('line' in target)) return undefined;
  return typeof target.line === 'number' ? target.line : undefined;
}

function fileOf({ queueFile }: ExtensionServices): string {
  if (queueFile !== null) return queueFile;
  throw new Problem('queue-missing', 'Open a folder first: the queue is kept in it.');
}
