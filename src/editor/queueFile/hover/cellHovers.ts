import * as vscode from 'vscode';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { HoverText } from '../../hover/hoverText';
import type { ExtensionServices } from '../../state/extensionServices';
import { viewModelOf } from '../../state/queueState';
import { toEditorRange } from '../document/editorRange';
import type { FoundCell } from '../document/queueDocument';
import { CSV_FILES, parseQueueFile } from '../parseQueueFile';

/** Columns whose cells show the task as a whole. */
const OF_TASK = new Set(['id', 'prompt']);

/**
 * Creates hovers on the cells of the queue file: the meaning of a cell or column. The id and the prompt show the state
 * of the task and its last attempt, the prompt of the example all columns.
 */
export function createCellHovers(services: ExtensionServices): vscode.Disposable {
  const { queueModel, queueFile } = services;
  const provideHover = async (
    open: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> => {
    const viewModel = viewModelOf(queueModel.state);
    const found = (await parseQueueFile(open, queueFile))?.cellAt(position);
    if (found === undefined) return undefined;
    const { describeCell, describeExample } = await import('./describeCell');
    const text =
      (await layOut(describeExample(found))) ??
      (viewModel === null ? null : await describeTaskAt(found, viewModel)) ??
      (await layOut(describeCell(found, viewModel)));
    return text === null ? undefined : new vscode.Hover(text, toEditorRange(found.cell.range));
  };

  const describeTaskAt = async (
    { cell, row }: FoundCell,
    { tasks }: QueueViewModel,
  ): Promise<vscode.MarkdownString | null> => {
    const shown = tasks.find(({ task }) => task.definition.id === row?.id);
    if (shown === undefined || !OF_TASK.has(cell.column ?? '')) return null;
    const { describeTask } = await import('../../hover/taskMarkdown');
    return describeTask(services, shown.task.definition.id);
  };

  return vscode.languages.registerHoverProvider(CSV_FILES, { provideHover });
}

async function layOut(description: HoverText | null): Promise<vscode.MarkdownString | null> {
  if (description === null) return null;
  const { layOutHover } = await import('../../hover/hoverText');
  return new vscode.MarkdownString(layOutHover(description));
}
