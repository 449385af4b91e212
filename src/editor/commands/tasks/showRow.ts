import * as vscode from 'vscode';
import { Problem } from '../../../domain/problem';
import type { Desk } from '../../state/extensionServices';
import { pictureOf } from '../../state/queueState';
import { idOf } from './taskTarget';

/** Opens the queue file. @throws Problem `queue-missing` */
export async function openQueueFile(desk: Desk): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(fileOf(desk)));
}

/** Shows a row: of the task that is meant, or at a line. */
export async function showRow(desk: Desk, target: unknown): Promise<void> {
  // The tree's rows give their line; menus give the row itself.
  if (typeof target === 'number') return showLine(desk, target);
  const id = idOf(target);
  const line = id === null ? undefined : pictureOf(desk.keeper.state)?.snapshot.lines.get(id);
  await showLine(desk, line ?? lineOf(target) ?? 1);
}

/** Shows a line of the queue file, from 1, and leaves the keyboard where it is. */
export async function showLine(desk: Desk, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(fileOf(desk));
  const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
  const selection = new vscode.Range(at, at);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: true, selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function lineOf(target: unknown): number | undefined {
  if (typeof target !== 'object' || target === null || !('line' in target)) return undefined;
  return typeof target.line === 'number' ? target.line : undefined;
}

function fileOf({ queueFile }: Desk): string {
  if (queueFile !== null) return queueFile;
  throw new Problem('queue-missing', 'Open a folder first: the queue is kept in it.');
}
