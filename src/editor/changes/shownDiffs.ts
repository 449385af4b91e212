import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { isTabOf, nameDiff } from './diffTitle';
import { parseSide, SCHEME } from './versionUri';

/** Attempt whose changes an editor shows. */
export interface ShownAttempt {
  /** Key of the queue (`queueKey`). */
  readonly queue: string;
  readonly task: TaskId;
  readonly attempt: number;
}

/** Scheme of the URI that VS Code gives to an editor of many files. */
const MANY_FILES = 'multi-diff-editor';

/** Knows which attempt an editor of changes shows. VS Code names only its tab, and opens the documents in it. */
export class ShownDiffs implements vscode.Disposable {
  /**
   * Attempts by the titles of their editors. Two queues may have the same title: the attempt is the one whose editor was
   * opened last, and of editors that VS Code restored, the one whose document was opened first.
   */
  private readonly titles = new Map<string, ShownAttempt>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly parts: vscode.Disposable;

  constructor() {
    const note = (document: vscode.TextDocument): void => {
      this.note(document);
    };
    const fire = (): void => {
      this.changed.fire();
    };
    this.parts = vscode.Disposable.from(
      this.changed,
      vscode.workspace.onDidOpenTextDocument(note),
      vscode.window.tabGroups.onDidChangeTabs(fire),
      vscode.window.tabGroups.onDidChangeTabGroups(fire),
    );
    vscode.workspace.textDocuments.forEach(note);
  }

  /** The attempt whose changes the active editor shows; null: it shows something else. */
  get active(): ShownAttempt | null {
    const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
    return [...this.titles].find(([title]) => isTabOf(label, title))?.[1] ?? null;
  }

  /** Returns the attempt on whose editor a button was pressed; null: it was another editor, or none. */
  findPressed(target: unknown): ShownAttempt | null {
    return target instanceof vscode.Uri && target.scheme === MANY_FILES ? this.active : null;
  }

  dispose(): void {
    this.parts.dispose();
  }

  /** Notes that the editor of an attempt is opened, in place of another one with its title. */
  noteOpened(shown: ShownAttempt): void {
    this.titles.set(nameDiff(shown), shown);
    this.changed.fire();
  }

  private note({ uri }: vscode.TextDocument): void {
    const side = uri.scheme === SCHEME ? parseSide(uri) : null;
    // Documents of another queue may be opened one by one while its editor is not.
    if (side === null || this.titles.has(nameDiff(side))) return;
    const { task, attempt } = side;
    this.noteOpened({ queue: uri.authority, task, attempt });
  }
}
