import * as path from 'node:path';
import * as vscode from 'vscode';
import { isCount, isObject, isText } from '../../../platform/text/shapes';
import {
  attachProblem,
  formatPlace,
  type Attachment,
  type LineRange,
  type ProblemTarget,
} from '../../form/attachments';
import type { ExtensionServices } from '../../state/extensionServices';
import { openAddForm } from './openForm';

/** Opens the form with the selection of the active editor, or with its file if nothing is selected. */
export async function addFromEditor(services: ExtensionServices): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  await openAddForm(services, editor === undefined ? [] : [attachSelection(services, editor)]);
}

function attachSelection(
  services: ExtensionServices,
  { document, selection }: vscode.TextEditor,
): Attachment {
  const name = nameFile(services, document.uri);
  if (selection.isEmpty) return { title: name, text: '' };
  return { title: formatPlace(name, linesOf(selection)), text: document.getText(selection) };
}

/** Returns the lines of a selection. A last line of which nothing is selected does not count. */
function linesOf({ start, end }: vscode.Selection): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

/** Opens the form with the files and folders that are selected in the explorer. */
export async function addFromExplorer(
  services: ExtensionServices,
  targets: readonly unknown[],
): Promise<void> {
  const uris = targets.filter((target) => target instanceof vscode.Uri);
  await openAddForm(
    services,
    uris.map((uri) => ({ title: nameFile(services, uri), text: '' })),
  );
}

/** Opens the form with a problem that its quick fix names. */
export async function addFromProblem(services: ExtensionServices, target: unknown): Promise<void> {
  await openAddForm(services, isProblemTarget(target) ? [attachProblemOf(services, target)] : []);
}

function isProblemTarget(target: unknown): target is ProblemTarget<vscode.Uri> {
  return (
    isObject(target) &&
    target['uri'] instanceof vscode.Uri &&
    isCount(target['line']) &&
    ['source', 'code', 'message'].every((field) => isText(target[field]))
  );
}

function attachProblemOf(services: ExtensionServices, problem: ProblemTarget<vscode.Uri>): Attachment {
  const { uri, line } = problem;
  return attachProblem(formatPlace(nameFile(services, uri), { first: line, last: line }), problem);
}

/** Opens the form with the text that is selected in the active terminal. */
export async function addFromTerminal(services: ExtensionServices): Promise<void> {
  const text = await readTerminalSelection();
  const name = vscode.window.activeTerminal?.name ?? 'terminal';
  await openAddForm(services, text.trim() === '' ? [] : [{ title: `Terminal ${name}`, text }]);
}

/** Returns the selection of the terminal. VS Code gives it only through the clipboard, which keeps its text. */
async function readTerminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText('');
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}

/** Returns the path of a file as Claude finds it: relative in the workspace's folder, else absolute. */
function nameFile({ folder }: ExtensionServices, uri: vscode.Uri): string {
  if (uri.scheme !== 'file') return uri.scheme === 'untitled' ? uri.path : uri.toString();
  const relative = path.relative(folder, uri.fsPath);
  if (relative === '') return '.';
  return relative.startsWith('..') || path.isAbsolute(relative) ? uri.fsPath : relative;
}
