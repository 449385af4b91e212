import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import type { ShownAttempt } from '../changes/shownDiffs';
import { readThreads, type StoredThread } from './storedDrafts';
import { parseSide, SCHEME } from '../changes/versionUri';

/** Id of the controller in the conditions of menus. */
const CONTROLLER = 'claudeQueueComments';

/** Key of the drafts in the memory of the workspace. */
const MEMORY = 'claudeQueue.drafts';

/** Comment of the user on lines that an attempt changed, which Claude has not got yet. */
export class DraftComment implements vscode.Comment {
  mode = vscode.CommentMode.Preview;
  readonly author = { name: t('You') };
  readonly label = t('Not sent');
  readonly contextValue = 'draft';
  /** Text before an edit. */
  text: string;

  constructor(
    public body: string,
    readonly thread: vscode.CommentThread,
    readonly at: ShownAttempt,
    /** The lines, as the user saw them. */
    readonly quoted: readonly string[],
    /** The same in each window that restores it. Of the global: `node:crypto` takes long to load. */
    readonly id: string = crypto.randomUUID(),
  ) {
    this.text = body;
  }
}

/** Drafts that go to one task. */
export interface TaskDrafts extends Pick<ShownAttempt, 'queue' | 'task'> {
  readonly comments: readonly DraftComment[];
}

/** Comments on the changes of attempts, until the user sends them. The workspace remembers them. */
export class DraftComments implements vscode.Disposable {
  private controller: vscode.CommentController | null = null;
  private readonly drafts = new Set<DraftComment>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly opened: vscode.Disposable;

  constructor(
    private readonly memory: vscode.Memento,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    readThreads(memory.get(MEMORY)).forEach((stored) => {
      this.restore(stored);
    });
    const start = ({ uri }: vscode.TextDocument): void => {
      if (uri.scheme === SCHEME) this.controller ??= createController();
    };
    this.opened = vscode.workspace.onDidOpenTextDocument(start);
    vscode.workspace.textDocuments.forEach(start);
  }

  /** The drafts, by their tasks. */
  get byTask(): readonly TaskDrafts[] {
    const groups = new Map<string, TaskDrafts & { readonly comments: DraftComment[] }>();
    for (const draft of this.drafts) {
      const { queue, task } = draft.at;
      const key = `${queue} ${String(task)}`;
      const group = groups.get(key) ?? { queue, task, comments: [] };
      groups.set(key, group);
      group.comments.push(draft);
    }
    return [...groups.values()];
  }

  /** Returns the drafts for a task; null: there are none. */
  find({ queue, task }: { readonly queue: string; readonly task: TaskId }): TaskDrafts | null {
    return this.byTask.find((one) => one.queue === queue && one.task === task) ?? null;
  }

  /** Adds a text of the user to a thread. Returns the attempt that it is about; null: it is about none. */
  add({ thread, text }: vscode.CommentReply): ShownAttempt | null {
    const at = findAttempt(thread.uri);
    if (at === null) return null;
    if (text.trim() === '') return at;
    const draft = new DraftComment(text, thread, at, quote(thread));
    this.append(thread, [draft]);
    this.keep();
    return at;
  }

  /** Opens a draft for an edit. */
  edit(draft: DraftComment): void {
    this.show(draft, vscode.CommentMode.Editing);
  }

  /** Ends the edit of a draft. VS Code has put the new text into its body. */
  endEdit(draft: DraftComment, isKept: boolean): void {
    const edited = draft.body.trim() === '' ? draft.text : draft.body;
    draft.text = isKept ? edited : draft.text;
    draft.body = draft.text;
    this.show(draft, vscode.CommentMode.Preview);
    this.keep();
  }

  /** Removes drafts. A thread without any goes too. */
  remove(drafts: readonly DraftComment[]): void {
    for (const draft of drafts) {
      const { thread } = draft;
      this.drafts.delete(draft);
      thread.comments = thread.comments.filter((one) => one !== draft);
      if (thread.comments.length === 0) thread.dispose();
    }
    this.keep();
  }

  /** Removes the drafts that another window has sent, but none that is being edited. Returns whether there were any. */
  removeSent(sent: ReadonlySet<string>): boolean {
    const found = [...this.drafts].filter(
      ({ id, mode }) => sent.has(id) && mode === vscode.CommentMode.Preview,
    );
    if (found.length > 0) this.remove(found);
    return found.length > 0;
  }

  dispose(): void {
    this.opened.dispose();
    this.controller?.dispose();
    this.changed.dispose();
  }

  /** Shows a thread of an earlier window again. */
  private restore({ uri, lines: [first, last], comments }: StoredThread): void {
    const about = vscode.Uri.parse(uri);
    const at = findAttempt(about);
    if (at === null || comments.length === 0) return;
    this.controller ??= createController();
    const thread = this.controller.createCommentThread(about, new vscode.Range(first, 0, last, 0), []);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.append(
      thread,
      comments.map(({ text, quoted, id }) => new DraftComment(text, thread, at, quoted, id)),
    );
  }

  /** Adds drafts to their thread. */
  private append(thread: vscode.CommentThread, drafts: readonly DraftComment[]): void {
    for (const draft of drafts) {
      this.drafts.add(draft);
      thread.label = t('For the next attempt of task {0}', draft.at.task);
    }
    thread.comments = [...thread.comments, ...drafts];
  }

  /** Lets the workspace remember the drafts, and announces that they changed. */
  private keep(): void {
    this.changed.fire();
    this.memory.update(MEMORY, store(this.drafts)).then(undefined, (error: unknown) => {
      this.log.warn(`Comments that are not sent will be lost when the window closes: ${String(error)}`);
    });
  }

  private show(draft: DraftComment, mode: vscode.CommentMode): void {
    const { thread } = draft;
    draft.mode = mode;
    // VS Code draws what is set.
    thread.comments = [...thread.comments];
  }
}

function createController(): vscode.CommentController {
  const controller = vscode.comments.createCommentController(CONTROLLER, t('Comments for Claude'));
  controller.options = {
    prompt: t('Add a comment for Claude'),
    placeHolder: t('Say what to change here'),
  };
  controller.commentingRangeProvider = {
    provideCommentingRanges: ({ uri, lineCount }) =>
      vscode.workspace.isTrusted && findAttempt(uri) !== null
        ? [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)]
        : [],
  };
  return controller;
}

function store(drafts: Iterable<DraftComment>): readonly StoredThread[] {
  const byThread = new Map<vscode.CommentThread, StoredThread['comments']>();
  for (const { thread, text, quoted, id } of drafts)
    byThread.set(thread, [...(byThread.get(thread) ?? []), { id, text, quoted }]);
  return [...byThread].map(([{ uri, range }, comments]) => ({
    uri: uri.toString(),
    lines: [range?.start.line ?? 0, range?.end.line ?? 0],
    comments,
  }));
}

/** Returns the attempt after which a document shows a file; null: it shows something else. */
function findAttempt(uri: vscode.Uri): ShownAttempt | null {
  const shown = uri.scheme === SCHEME ? parseSide(uri) : null;
  if (shown?.side !== 'after') return null;
  return { queue: uri.authority, task: shown.task, attempt: shown.attempt };
}

/** Returns the lines of a thread, as the user sees them. */
function quote({ uri, range }: vscode.CommentThread): readonly string[] {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (document === undefined || range === undefined) return [];
  const { start, end } = document.validateRange(range);
  return Array.from({ length: end.line - start.line + 1 }, (_, i) => document.lineAt(start.line + i).text);
}
