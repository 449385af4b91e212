import * as vscode from 'vscode';
import { isQueueFile } from '../../state/queuePlace';
import { toEditorRange } from '../document/editorRange';
import { parseQueueFile } from '../parseQueueFile';
import type { HeaderPlan } from './planFaint';

/** Number of lines above and below the visible ones whose delimiters are dimmed too. */
const MARGIN = 40;

/** Pause in which moves of the cursor and of the text are collected. */
const MOVED_MS = 60;

/** Pause after the last key. What is dimmed moves with the text meanwhile. */
const TYPED_MS = 300;

/** Lines of a document whose delimiters are dimmed. */
interface Drawn {
  readonly first: number;
  readonly last: number;
}

/** Outlets of what is drawn. */
interface Outlets {
  /** Called when the cursor has moved to another column, or the header has changed. */
  readonly onOtherColumn: () => void;
  readonly report: (error: unknown) => void;
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
  /** Headers as they are drawn, as text. */
  private readonly headers = new WeakMap<vscode.TextEditor, string>();
  private readonly waiting = new Map<vscode.TextEditor, NodeJS.Timeout>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly queueFile: string,
    private readonly outlets: Outlets,
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
        const editors = window.visibleTextEditors.filter((editor) => editor.document === document);
        for (const editor of editors) this.scheduleAfterTyping(editor);
      }),
    );
    scheduleAll(window.visibleTextEditors);
  }

  dispose(): void {
    this.subscription.dispose();
    for (const timer of this.waiting.values()) clearTimeout(timer);
    for (const style of [this.delimiters, this.header, this.current]) style.dispose();
  }

  /** Draws soon. After a key, only when no more keys follow. */
  private schedule(editor: vscode.TextEditor): void {
    if (!this.waiting.has(editor) && this.isQueue(editor)) this.drawIn(MOVED_MS, editor);
  }

  private scheduleAfterTyping(editor: vscode.TextEditor): void {
    if (!this.isQueue(editor)) return;
    clearTimeout(this.waiting.get(editor));
    this.drawn.delete(editor);
    this.drawIn(TYPED_MS, editor);
  }

  private isQueue({ document }: vscode.TextEditor): boolean {
    return isQueueFile(document.uri, this.queueFile);
  }

  private drawIn(pauseMs: number, editor: vscode.TextEditor): void {
    const draw = (): void => {
      this.waiting.delete(editor);
      this.draw(editor).catch(this.outlets.report);
    };
    this.waiting.set(editor, setTimeout(draw, pauseMs));
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    const parsed = await parseQueueFile(editor.document, this.queueFile);
    if (parsed === null) return;
    const plan = await import('./planFaint');
    this.drawHeader(editor, plan.planHeader(parsed, editor.selection.active));
    const visible = visibleLines(editor);
    const drawn = this.drawn.get(editor);
    if (drawn !== undefined && drawn.first <= visible.first && drawn.last >= visible.last) return;
    const first = Math.max(0, visible.first - MARGIN);
    const last = visible.last + MARGIN;
    this.drawn.set(editor, { first, last });
    editor.setDecorations(this.delimiters, plan.planDelimiters(parsed, first, last).map(toEditorRange));
  }

  private drawHeader(editor: vscode.TextEditor, { faint, current }: HeaderPlan): void {
    const key = JSON.stringify([faint, current]);
    if (this.headers.get(editor) === key) return;
    this.headers.set(editor, key);
    editor.setDecorations(this.header, faint.map(toEditorRange));
    editor.setDecorations(this.current, current.map(toEditorRange));
    this.outlets.onOtherColumn();
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
