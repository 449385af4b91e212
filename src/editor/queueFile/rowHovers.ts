import * as vscode from 'vscode';
import type { ExtensionServices } from '../state/extensionServices';
import { isQueueFile } from '../state/queuePlace';
import { viewModelOf } from '../state/queueState';

/** First cell of a row, with any separator. */
const FIRST_CELL = /^[^,;\t]*/;

/** Creates hovers on the first cell of a row of the queue file: the state of its task, and its last attempt. */
export function createRowHovers({ queueModel, queueFile }: ExtensionServices): vscode.Disposable {
  const provideHover = async (
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
  ): Promise<vscode.Hover | undefined> => {
    const viewModel = viewModelOf(queueModel.state);
    if (viewModel === null || !isQueueFile(document.uri, queueFile)) return undefined;
    const [cell = ''] = FIRST_CELL.exec(document.lineAt(line).text) ?? [];
    if (character > cell.length) return undefined;
    const { parseOpen } = await import('./document/openDocuments');
    const row = parseOpen(document).rowAt(line);
    if (row?.line !== line) return undefined;
    const shown = viewModel.tasks.find(({ task }) => task.definition.id === row.id);
    if (shown === undefined) return undefined;
    const { describeDetails } = await import('../tree/rows/taskRow');
    const { describeTask } = await import('../tree/taskTooltip');
    const tooltip = await describeTask(
      queueModel,
      shown.task.definition.id,
      describeDetails(shown, viewModel.world),
    );
    return new vscode.Hover(tooltip, new vscode.Range(line, 0, line, cell.length));
  };
  // By path, never by language: extensions that colour CSV files change the language.
  return vscode.languages.registerHoverProvider({ scheme: 'file', pattern: '**/*.csv' }, { provideHover });
}
