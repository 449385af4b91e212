import { randomBytes } from 'node:crypto';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { describeError } from '../../app/present/problems/problem';
import { isProblem, Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { ExtensionServices } from '../state/extensionServices';
import type { OpenForm } from '../state/openForms';
import { viewModelOf } from '../state/queueState';
import { attach, type Attachment } from './attachments';
import { renderForm } from './formHtml';
import { parseMessage, type FormMessage } from './formMessages';
import { checkValues, firstWrong } from './formProblems';
import { FIELDS, newValues, type Field, type FormValues } from './formValues';
import { composeView } from './formView';
import { addFromForm, saveFromForm } from './saveForm';
import { keepDraft } from './formDraft';
import { nameFolderOf, type FormFacts, type SteadyFacts } from './formFacts';

/** Start of a form. */
export interface FormStart {
  readonly values: FormValues;
  readonly facts: SteadyFacts;
  /** Task to edit; null: a new one. */
  readonly id: TaskId | null;
  /** Text of `media/taskForm.js` and `media/taskForm.css`. */
  readonly media: { readonly script: string; readonly style: string };
}

/** Form in a tab of the editor. It keeps what the page shows, because the page is dropped while it is hidden. */
export class TaskForm implements OpenForm {
  private values: FormValues;
  /** Values that the row had. */
  private initial: FormValues;
  private attachments: readonly Attachment[] = [];
  private failure: string | null = null;
  private isSaving = false;
  private readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly services: ExtensionServices,
    private readonly start: FormStart,
  ) {
    this.values = start.values;
    this.initial = start.values;
    this.panel = this.createPanel();
    this.subscriptions = [
      this.panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      services.queueModel.onDidChange(() => {
        this.post();
      }),
    ];
    this.panel.onDidDispose(() => {
      for (const subscription of this.subscriptions) subscription.dispose();
      services.forms.remove(keyOf(start.id));
    });
    this.panel.webview.html = this.render();
  }

  /** Shows the form, and adds context to its prompt. */
  reveal(attachments: readonly Attachment[]): void {
    this.attachments = attachments.reduce(attach, this.attachments);
    this.panel.reveal();
    this.post({ focus: 'prompt' });
  }

  dispose(): void {
    this.panel.dispose();
  }

  private createPanel(): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(
      'claudeQueue.taskForm',
      this.title,
      vscode.ViewColumn.Active,
      // The page reads no file: its script and style are in it.
      { enableScripts: true, localResourceRoots: [] },
    );
  }

  private get title(): string {
    const { id } = this.start;
    return id === null ? 'Add Task' : `Edit Task ${String(id)}`;
  }

  private render(): string {
    const { id, facts, media } = this.start;
    return renderForm({
      title: this.title,
      button: id === null ? 'Add Task' : 'Save',
      isNew: id === null,
      allowBypass: facts.rows().allowBypass,
      nonce: randomBytes(16).toString('base64url'),
      ...media,
    });
  }

  private async receive(message: unknown): Promise<void> {
    const parsed = parseMessage(message);
    if (parsed === null) {
      this.services.log.warn('The form sent a message that is not understood. It was dropped.');
      return;
    }
    try {
      await this.act(parsed);
    } catch (error) {
      this.fail(error);
    }
  }

  private async act(message: FormMessage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.post({ values: this.values, focus: 'prompt' });
        return;
      case 'change':
        this.values = message.values;
        this.post();
        await this.keep();
        return;
      case 'detach':
        this.attachments = this.attachments.filter((_, index) => index !== message.index);
        this.post();
        return;
      case 'browse':
        await this.browse();
        return;
      case 'cancel':
        await keepDraft(this.services.memory, this.start.id, null);
        this.dispose();
        return;
      case 'submit':
        await this.submit(message.values, message.again);
    }
  }

  /** Keeps the text of a new task in the workspace's memory, so that it outlives the tab and the window. */
  private async keep(): Promise<void> {
    await keepDraft(this.services.memory, this.start.id, this.values);
  }

  private async browse(): Promise<void> {
    const [folder] =
      (await vscode.window.showOpenDialog({
        title: 'Folder of the Task',
        canSelectFiles: false,
        canSelectFolders: true,
        defaultUri: vscode.Uri.file(this.services.folder),
      })) ?? [];
    if (folder === undefined) return;
    this.values = { ...this.values, folder: nameFolderOf(folder.fsPath, this.start.facts.rows()) };
    this.post({ values: this.values, focus: 'folder' });
    await this.keep();
  }

  private async submit(values: FormValues, again: boolean): Promise<void> {
    if (this.isSaving) return;
    this.values = values;
    this.failure = null;
    const wrong = firstWrong(checkValues(values, this.facts()).problems, FIELDS);
    if (wrong !== null) {
      this.post({ focus: wrong });
      return;
    }
    this.isSaving = true;
    try {
      await this.keep();
      await this.save(values);
      await keepDraft(this.services.memory, this.start.id, null);
    } finally {
      this.isSaving = false;
    }
    if (again) this.startNext();
    else this.dispose();
  }

  private async save(values: FormValues): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw new Problem('untrusted', 'This workspace is not trusted: nothing is written.');
    const { id } = this.start;
    const { queueModel } = this.services;
    if (id === null) {
      const added = await queueModel.change((opened) => addFromForm(opened, values, this.attachments));
      vscode.window.setStatusBarMessage(`Added task ${String(added)}.`, 5_000);
      return;
    }
    const { initial } = this;
    try {
      await queueModel.change((opened) => saveFromForm(opened, id, { initial, values }));
    } catch (error) {
      if (isProblem(error, 'conflict')) this.initial = await this.start.facts.readValues(id);
      throw error;
    }
    vscode.window.setStatusBarMessage(`Saved task ${String(id)}.`, 5_000);
  }

  /** Empties what belongs to one task alone; the rest is likely to be the same for the next one. */
  private startNext(): void {
    const { folder, priority, mode, tools, check, user, tags } = this.values;
    const kept = { priority, mode, tools, check, user, tags };
    this.values = { ...newValues(folder), ...kept };
    this.attachments = [];
    this.post({ values: this.values, focus: 'prompt' });
  }

  private fail(error: unknown): void {
    this.failure = describeError(error);
    if (isProblem(error)) this.services.log.warn(`The form was not saved: ${this.failure}`);
    else this.services.log.error('The form was not saved', error instanceof Error ? error : String(error));
    this.post();
  }

  private facts(): FormFacts {
    const { facts, id } = this.start;
    const viewModel = viewModelOf(this.services.queueModel.state) ?? facts.viewModel;
    const shown = viewModel.tasks.find(({ task }) => task.definition.id === id);
    return {
      ...facts,
      viewModel,
      id,
      rows: facts.rows(),
      moment: facts.moment(),
      edited: shown === undefined ? null : { shown, initial: this.initial },
    };
  }

  private post(more: { readonly values?: FormValues; readonly focus?: Field } = {}): void {
    const { attachments, failure } = this;
    const view = composeView(this.values, this.facts(), { attachments, failure });
    void this.panel.webview.postMessage({ ...more, view });
  }
}

/** Returns the name of the form for a task, or for a new one. */
export function keyOf(id: TaskId | null): string {
  return id === null ? 'new' : String(id);
}

/** Returns the paths of the script and the style of the page. `program` is `dist/cli.js`. */
export function mediaPaths(program: string): { readonly script: string; readonly style: string } {
  const media = path.join(path.dirname(program), '..', 'media');
  return { script: path.join(media, 'taskForm.js'), style: path.join(media, 'taskForm.css') };
}
