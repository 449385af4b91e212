import * as vscode from 'vscode';
import { isQueueFile } from '../../state/queuePlace';
import { toEditorRange } from '../document/editorRange';
import { parseQueueFile } from '../parseQueueFile';

/** Number of lines above and below the visible ones whose delimiters are dimmed too. */
const MARGIN = 40;

/** Pause in which changes are collected. What is dimmed moves with the text meanwhile. */
const PAUSE_MS = 60;

/** Lines of one version of a document whose delimiters are dimmed. */
interface Drawn {
  readonly version: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Dims the delimiters and the header of the queue file in its editors, except for the name of the column at the
 * cursor. Only lines near the visible ones are drawn.
 */
export class FaintParts implements vscode.Disposable {
  private readonly delimiters = createStyle({ opacity: '0.45' });
  private readonly header = createStyle({ opacity: '0.65' });
  private readonly current = createStyle({ fontWeight: 'bold' });
  private readonly drawn = new WeakMap<vscode.TextEditor, Drawn>();
  private readonly waiting = new Map<vscode.TextEditor, NodeJS.Timeout>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly queueFile: string,
    private readonly report: (error: unknown) => void,
  ) {
    const { window, workspace } = vscode;
    const scheduleAll = (editors: readonly vscode.TextEditor[]): void => {
      for (const editor of editors) this.schedule(editor);
    };
    this.subscription = vscode.Disposable.from(
      window.onDidChangeVisibleTextEditors(scheduleAll),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.schedule(textEditor)),
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.schedule(textEditor)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0) return;
        scheduleAll(window.visibleTextEditors.filter((editor) => editor.document === document));
      }),
    );
    scheduleAll(window.visibleTextEditors);
  }

  dispose(): void {
    this.subscription.dispose();
    for (const timer of this.waiting.values()) clearTimeout(timer);
    for (const style of [this.delimiters, this.header, this.current]) style.dispose();
  }

  private schedule(editor: vscode.TextEditor): void {
    if (this.waiting.has(editor) || !isQueueFile(editor.document.uri, this.queueFile)) return;
    const draw = (): void => {
      this.waiting.delete(editor);
      this.draw(editor).catch(this.report);
    };
    this.waiting.set(editor, setTimeout(draw, PAUSE_MS));
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    const parsed = await parseQueueFile(editor.document, this.queueFile);
    if (parsed === null) return;
    const { planDelimiters, planHeader } = await import('./planFaint');
    const { faint, current } = planHeader(parsed, editor.selection.active);
    editor.setDecorations(this.header, faint.map(toEditorRange));
    editor.setDecorations(this.current, current.map(toEditorRange));
    const { version } = editor.document;
    const visible = visibleLines(editor);
    const drawn = this.drawn.get(editor);
    if (drawn?.version === version && drawn.first <= visible.first && drawn.last >= visible.last) return;
    const first = Math.max(0, visible.first - MARGIN);
    const last = visible.last + MARGIN;
    this.drawn.set(editor, { version, first, last });
    editor.setDecorations(this.delimiters, planDelimiters(parsed, first, last).map(toEditorRange));
  }
}

function createStyle(style: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType {
  const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;
  return vscode.window.createTextEditorDecorationType({ ...style, rangeBehavior });
}

function visibleLines({ visibleRanges }: vscode.TextEditor): {
  readonly first: number;
  readonly last: number;
} {
  return {
    first: Math.min(...visibleRanges.map(({ start }) => start.line)),
    last: Math.max(...visibleRanges.map(({ end }) => end.line)),
  };
}
