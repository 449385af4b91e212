import * as vscode from 'vscode';
import { commandId } from '../../commandIds';
import type { ExtensionServices } from '../../state/extensionServices';
import { bindTarget } from '../../state/queueTarget';
import { viewModelOf } from '../../state/queueState';
import { parseWhenQuiet } from '../parseQueueFile';
import { isPlanned, planSpans, type LineSpan } from './lensSpans';
import { registerLenses } from './registerLenses';

/** Creates one lens on each row of the queue file: the state of its task. A click lists the actions of the task. */
export function createRowLenses({ key, queueModel, queueFile }: ExtensionServices): vscode.Disposable {
  const plannedSpans = new WeakMap<vscode.TextDocument, readonly LineSpan[]>();
  const scrolled = new vscode.EventEmitter<void>();
  const provide = async (
    document: vscode.TextDocument,
    cancel: vscode.CancellationToken,
  ): Promise<vscode.CodeLens[]> => {
    const parsed = await parseWhenQuiet(document, queueFile, cancel);
    const viewModel = viewModelOf(queueModel.state);
    if (viewModel === null || parsed === null) return [];
    const spans = planSpans(visibleSpans(document), document.lineCount);
    plannedSpans.set(document, spans);
    const { planLenses } = await import('./planLenses');
    const { isTrusted } = vscode.workspace;
    const rows = (await queueModel.useQueue()).queueContext.rowContext();
    const planned = planLenses(parsed, viewModel, { isTrusted, spans, rows });
    return planned.map(({ line, title, spoken, hasActions, target }) => {
      const range = new vscode.Range(line, 0, line, 0);
      const command = hasActions ? commandId('showActions') : 'claudeQueue.tasks.focus';
      return new vscode.CodeLens(range, {
        title,
        tooltip: spoken,
        command,
        arguments: [bindTarget(key, target)],
      });
    });
  };
  return vscode.Disposable.from(
    scrolled,
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor: { document } }) => {
      const spans = plannedSpans.get(document);
      if (spans === undefined || isPlanned(spans, visibleSpans(document), document.lineCount)) return;
      scrolled.fire();
    }),
    registerLenses(queueModel, '**/*.csv', provide, scrolled.event),
  );
}

/** Returns the lines of a document that an editor shows now. */
function visibleSpans(document: vscode.TextDocument): readonly LineSpan[] {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => ({ first: start.line, last: end.line }));
}
