import * as vscode from 'vscode';
import { hideIcons } from '../hiddenLinks';
import type { TreeDiff } from '../../platform/git/treeDiff';

/** A changed file, and the URIs of its versions. */
export interface ComparedFile {
  readonly path: string;
  readonly before: vscode.Uri | undefined;
  readonly after: vscode.Uri | undefined;
}

/** Oldest VS Code 1.x that was found to show such files among the others. Older ones leave them out without a word. */
const SHOWS_BINARY = 139;

/** Returns the changed files that this VS Code does not show in an editor of many files: those that are not text. */
export async function findUnshown(diff: TreeDiff, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const [major, minor] = vscode.version.split('.').map(Number);
  if (major !== 1 || (minor ?? 0) >= SHOWS_BINARY) return new Set();
  const lines = (await diff.print(['--numstat', '-z', '--no-renames'], signal)).toString('utf8');
  const found = lines.split('\0').filter((line) => line.startsWith(NO_COUNTS));
  return new Set(found.map((line) => line.slice(NO_COUNTS.length)));
}

/** Start of the line of a file that is not text. */
const NO_COUNTS = '-\t-\t';

/** Shows one of these files, before and after. */
export async function showOne(files: readonly ComparedFile[]): Promise<void> {
  const items = files.map((file) => ({ label: hideIcons(file.path), file }));
  const chosen = items.length < 2 ? items[0] : await vscode.window.showQuickPick(items);
  if (chosen === undefined) return;
  const { before, after, path } = chosen.file;
  // The editor with the other files stays.
  const options = { preview: false };
  if (before === undefined || after === undefined)
    await vscode.commands.executeCommand('vscode.open', before ?? after, options);
  else await vscode.commands.executeCommand('vscode.diff', before, after, path, options);
}
