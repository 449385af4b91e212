import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { describeError } from '../../app/present/problems/problem';
import { isProblem, Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import type { OpenForm } from '../pages/openPages';
import { readPageFile } from '../pages/pageFile';
import { createPanel, PagePanel } from '../pages/pagePanel';
import type { ExtensionServices } from '../state/extensionServices';
import { viewModelOf } from '../state/queueState';
import { attach, type Attachment } from './attachments';
import { renderForm } from './formHtml';
import { parseMessage, type FormMessage } from './formMessages';
import { checkValues, firstWrong } from './formProblems';
import { FIELDS, newValues, takeOver, type Field, type FormValues } from './formValues';
import { composeView } from './formView';
import { nameForm, promptAfter, PromptFile, type PromptEvent } from './promptFile';
import { addFromForm, saveFromForm } from './saveForm';
import { keepTyped } from '../drafts/formDraft';
import { nameFolderOf, type FormFacts, type SteadyFacts } from './formFacts';

/** Start of a form. */
export interface FormStart {
  readonly values: FormValues;
  /** Id of the draft of which the values are. */
  readonly draftId: string;
  /** Values that the row had, if the user changed them before and did not save. */
  readonly initial?: FormValues;
  readonly facts: SteadyFacts;
  /** Task to edit; null: a new one. */
  readonly id: TaskId | null;
}

/** Message of a new task whose addition failed because Redis did not answer: it may have been added. */
const NOT_CONFIRMED = t(
  'Redis did not confirm that the task was added. Add it again once Redis answers: unchanged, it is not added twice.',
);

/** Message of a form with changes that an earlier one did not save. */
const NOT_SAVED = t('Your changes from before are not saved yet. Cancel discards them.');

/** Form in a tab of the editor. It keeps what the page shows, because the page is dropped while it is hidden. */
export class TaskForm extends PagePanel implements OpenForm {
  private values: FormValues;
  private draftId: string;
  /** Values that the row had. */
  private initial: FormValues;
  private attachments: readonly Attachment[] = [];
  private failure: string | null = null;
  private isSaving = false;
  private readonly promptFile: PromptFile;

  constructor(
    private readonly services: ExtensionServices,
    private readonly start: FormStart,
  ) {
    super(createPanel(services, 'taskForm', nameForm(start.id)), services);
    this.values = start.values;
    this.draftId = start.draftId;
    this.promptFile = new PromptFile(services, start.id);
    this.initial = start.initial ?? start.values;
    if (start.initial !== undefined) this.failure = NOT_SAVED;
    this.listen(parseMessage, (message) => this.receive(message));
    const changes = services.queueModel.onDidChange(() => {
      this.send();
    });
    this.onDidClose(() => {
      changes.dispose();
      this.promptFile.close().catch((error: unknown) => {
        services.log.warn(`${this.promptFile.path} stays: ${String(error)}`);
      });
    });
  }

  /** Shows the form, and adds context to its prompt. */
  showWith(attachments: readonly Attachment[]): void {
    this.attachments = attachments.reduce(attach, this.attachments);
    this.reveal();
    this.send({ focus: 'prompt' });
  }

  /** Draws the empty page, which asks for its values. */
  async fill(): Promise<void> {
    const { id, facts } = this.start;
    const { program } = this.services;
    const title = nameForm(id);
    const body = renderForm({
      title,
      button: id === null ? t('Add Task') : t('Save'),
      isNew: id === null,
      allowBypass: facts.rows().allowBypass,
    });
    const [script, style] = await Promise.all([
      readPageFile(program, 'media/taskForm.js'),
      readPageFile(program, 'media/taskForm.css'),
    ]);
    await this.draw({ title, body, script, style });
  }

  private async receive(message: FormMessage): Promise<void> {
    try {
      await this.act(message);
    } catch (error) {
      this.fail(error);
    }
  }

  private async act(message: FormMessage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.send({ values: this.values, focus: 'prompt' });
        return;
      case 'change':
        this.values = message.values;
        this.send();
        await this.keep();
        return;
      case 'detach':
        this.attachments = this.attachments.filter((_, index) => index !== message.index);
        this.send();
        return;
      case 'browse':
        await this.browse();
        return;
      case 'editPrompt':
        await this.editPrompt();
        return;
      case 'cancel':
        await this.forget();
        this.close();
        return;
      case 'submit':
        await this.submit(message.values, message.again);
    }
  }

  private async keep(): Promise<void> {
    const { values, initial, draftId } = this;
    await keepTyped(this.services, this.start.id, { draftId, values, initial });
  }

  private async forget(): Promise<void> {
    await keepTyped(this.services, this.start.id, null);
  }

  private async browse(): Promise<void> {
    const [folder] =
      (await vscode.window.showOpenDialog({
        title: t('Folder of the Task'),
        canSelectFiles: false,
        canSelectFolders: true,
        defaultUri: vscode.Uri.file(this.services.folder),
      })) ?? [];
    if (folder === undefined) return;
    this.values = { ...this.values, folder: nameFolderOf(folder.fsPath, this.start.facts.rows()) };
    this.send({ values: this.values, focus: 'folder' });
    await this.keep();
  }

  /** Opens the prompt in an editor. Until that is closed, the form only shows the prompt. */
  private async editPrompt(): Promise<void> {
    const { promptFile } = this;
    if (promptFile.isOpen) await promptFile.show();
    else await promptFile.open(this.values.prompt);
  }

  async followPrompt(event: PromptEvent): Promise<void> {
    const { promptFile } = this;
    if (event === 'saved') {
      const saved = await promptFile.read();
      // Only now: the user may have typed into other fields meanwhile.
      const { values } = this;
      if (saved !== null) this.values = { ...values, prompt: promptAfter(saved, values.prompt) };
      this.send({ values: this.values });
      await this.keep();
    } else if (promptFile.isOpen) this.send();
    else {
      await promptFile.remove();
      this.reveal();
      this.send({ focus: 'prompt' });
    }
  }

  private async submit(values: FormValues, again: boolean): Promise<void> {
    if (this.isSaving) return;
    this.values = values;
    this.failure = null;
    const { promptFile } = this;
    if (promptFile.isUnsaved) {
      await promptFile.show();
      throw new Problem('usage', t('{0} has unsaved changes. Save or close it first.', promptFile.name));
    }
    const wrong = firstWrong(checkValues(values, this.facts()).problems, FIELDS);
    if (wrong !== null) {
      this.send({ focus: wrong });
      return;
    }
    this.isSaving = true;
    this.send();
    try {
      await this.keep();
      await this.save(values);
      await this.forget();
    } finally {
      this.isSaving = false;
    }
    if (again) {
      await promptFile.close();
      this.startNext();
    } else this.close();
  }

  private async save(values: FormValues): Promise<void> {
    if (!vscode.workspace.isTrusted)
      throw new Problem('untrusted', t('This workspace is not trusted: nothing is written.'));
    const { id } = this.start;
    const { queueModel } = this.services;
    if (id === null) {
      await this.refuseTwice();
      const { draftId, attachments } = this;
      const added = await queueModel.change((opened) =>
        addFromForm(opened, { draftId, values, attachments }),
      );
      await this.services.sentDrafts.add([draftId]);
      vscode.window.setStatusBarMessage(t('Added task {0}.', added), 5_000);
      return;
    }
    const { initial } = this;
    try {
      await queueModel.change((opened) => saveFromForm(opened, id, { initial, values }));
    } catch (error) {
      if (isProblem(error, 'conflict')) await this.showChanged(id);
      throw error;
    }
    vscode.window.setStatusBarMessage(t('Saved task {0}.', id), 5_000);
  }

  /** Refuses, once, a draft that another window has added meanwhile. @throws Problem `conflict` */
  private async refuseTwice(): Promise<void> {
    if (!(await this.services.sentDrafts.read()).has(this.draftId)) return;
    this.draftId = randomUUID();
    await this.keep();
    throw new Problem(
      'conflict',
      t('This task was already added in another window. Add it again to have it twice.'),
    );
  }

  /** Shows the changes of somebody else to the row, except where the user has changed the same. */
  private async showChanged(id: TaskId): Promise<void> {
    const now = await this.start.facts.readValues(id);
    this.values = takeOver(this.values, this.initial, now);
    this.initial = now;
    this.send({ values: this.values });
  }

  /** Empties what belongs to one task alone; the rest is likely to be the same for the next one. */
  private startNext(): void {
    const { folder, priority, mode, tools, check, user, tags } = this.values;
    const kept = { priority, mode, tools, check, user, tags };
    this.values = { ...newValues(folder, this.start.facts.viewModel.world.settings), ...kept };
    this.draftId = randomUUID();
    this.attachments = [];
    this.send({ values: this.values, focus: 'prompt' });
  }

  private fail(error: unknown): void {
    this.failure = describeError(error);
    if (this.start.id === null && isProblem(error, 'redis-away')) this.failure = NOT_CONFIRMED;
    if (isProblem(error)) this.services.log.warn(`The form was not saved: ${this.failure}`);
    else this.services.log.error('The form was not saved', error instanceof Error ? error : String(error));
    this.send();
  }

  private facts(): FormFacts {
    const { facts, id } = this.start;
    const { state } = this.services.queueModel;
    const viewModel = viewModelOf(state) ?? facts.viewModel;
    const shown = viewModel.tasks.find(({ task }) => task.definition.id === id);
    return {
      ...facts,
      viewModel,
      id,
      rows: facts.rows(),
      moment: facts.moment(),
      isModeChosen: this.services.settings.permissionMode !== 'ask',
      unread: state.kind === 'failing' ? state.message : null,
      edited: shown === undefined ? null : { shown, initial: this.initial },
    };
  }

  private send(more: { readonly values?: FormValues; readonly focus?: Field } = {}): void {
    const { attachments, failure, isSaving, promptFile } = this;
    const shown = { attachments, failure, isSaving, promptFile: promptFile.isOpen ? promptFile.name : null };
    const view = composeView(this.values, this.facts(), shown);
    void this.post({ ...more, view });
  }
}
