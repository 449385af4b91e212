import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { viewModelOf } from '../../state/queueState';
import type { ExtensionServices } from '../../state/extensionServices';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';

/** Lets Go to Definition open the prompt file that a row names. */
export function createPromptFileDefinition({
  queueModel,
  queueFile,
}: Pick<ExtensionServices, 'queueModel' | 'queueFile'>): vscode.Disposable {
  return vscode.languages.registerDefinitionProvider(CSV_FILES, {
    provideDefinition: async (open, position) => {
      const found = (await parseQueueFile(open, queueFile))?.cellAt(position);
      const name = found?.cell.text.trim() ?? '';
      if (found?.cell.column !== 'prompt_file' || found.row === null || name === '') return [];
      if (viewModelOf(queueModel.state) === null) return [];
      const { queueContext } = await queueModel.useQueue();
      const file = path.resolve(queueContext.paths.workspace, name);
      const start = new vscode.Position(0, 0);
      return existsSync(file) ? [new vscode.Location(vscode.Uri.file(file), start)] : [];
    },
  });
}
