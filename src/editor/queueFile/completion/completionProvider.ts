import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../../state/extensionServices';
import { viewModelOf } from '../../state/queueState';
import { toEditorRange } from '../document/editorRange';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';
import type { Candidate } from './candidate';
import type { Insertion } from './insertion';

/** Characters after which a new part of a cell starts; letters start a completion by themselves. */
const TRIGGERS = ['|', '/'];

/** Creates the completion of the queue file: words of each column, ids of tasks, times, folders, and column names. */
export function createCompletion({ queueModel, queueFile, folder }: ExtensionServices): vscode.Disposable {
  const provider: vscode.CompletionItemProvider = {
    async provideCompletionItems(open, position) {
      const viewModel = viewModelOf(queueModel.state);
      const document = await parseQueueFile(open, queueFile);
      const found = document?.cellAt(position);
      if (viewModel === null || document === null || found === undefined) return undefined;
      const { completeCell } = await import('./completeCell');
      const { insertInto } = await import('./insertion');
      const { Directory, File } = vscode.FileType;
      const context = {
        viewModel,
        listFolders: (parent: string) => listEntries(folder, parent, Directory),
        listFiles: (parent: string) => listEntries(folder, parent, File),
      };
      const { list, ...part } = await completeCell(document, found, position, context);
      const items = list.map((candidate, index) =>
        toItem(candidate, insertInto(document, found.cell, part, candidate), index),
      );
      // Incomplete: what is written out in full is no longer offered, so that Enter ends the line.
      return new vscode.CompletionList(items, true);
    },
  };
  return vscode.languages.registerCompletionItemProvider(CSV_FILES, provider, ...TRIGGERS);
}

const KINDS: Readonly<Record<Candidate['kind'], vscode.CompletionItemKind>> = {
  word: vscode.CompletionItemKind.EnumMember,
  task: vscode.CompletionItemKind.Event,
  time: vscode.CompletionItemKind.Value,
  folder: vscode.CompletionItemKind.Folder,
  file: vscode.CompletionItemKind.File,
  column: vscode.CompletionItemKind.Property,
};

function toItem(candidate: Candidate, insertion: Insertion, index: number): vscode.CompletionItem {
  const { text, label = text, detail = '', description = '', kind } = candidate;
  const item = new vscode.CompletionItem(
    { label, detail: detail === '' ? '' : `  ${detail}`, description },
    KINDS[kind],
  );
  item.range = toEditorRange(insertion.range);
  item.insertText = insertion.text;
  item.filterText = insertion.filter;
  item.sortText = String(index).padStart(5, '0');
  item.additionalTextEdits = insertion.more.map(({ at, text: added }) =>
    vscode.TextEdit.insert(new vscode.Position(at.line, at.character), added),
  );
  return item;
}

/** Returns the names of a kind in a folder that is relative to the workspace; none if it cannot be read. */
async function listEntries(
  workspace: string,
  parent: string,
  kind: vscode.FileType,
): Promise<readonly string[]> {
  const uri = vscode.Uri.file(path.resolve(workspace, parent));
  try {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return entries
      .filter(([name, type]) => (type & kind) !== 0 && !HIDDEN.test(name))
      .map(([name]) => name)
      .sort();
  } catch (error) {
    // It is being typed, so it may not exist.
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}

const HIDDEN = /^(?:\.|node_modules$)/;
