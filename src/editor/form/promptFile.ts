import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { makePrivateFolder, readIfThere } from '../../platform/files/files';
import { t } from '../../platform/text/translate';

/** Returns the name of the form for a task, or for a new one. */
export function nameForm(id: TaskId | null): string {
  return id === null ? t('Add Task') : t('Edit Task {0}', id);
}

/** Returns the key of the form for a task, or for a new one. */
export function keyOf(id: TaskId | null): string {
  return id === null ? 'new' : String(id);
}

/** Change of a prompt in an editor. */
export type PromptEvent = 'opened' | 'saved' | 'closed';

/** Queue of a form, and the folder for prompts that are open in editors. */
interface FormPlace {
  readonly key: string;
  readonly prompts: string;
}

/** Returns the folder with the prompt files of a queue, a folder for each form. It is the same after the window was loaded again. */
export function promptFolderOf({ prompts, key }: FormPlace): string {
  return path.join(prompts, createHash('sha256').update(key).digest('hex').slice(0, 16));
}

/** Returns the prompt after a save of this text: the same as before if only white space at the end is different. */
export function promptAfter(saved: string, before: string): string {
  return saved === before.trimEnd() ? before : saved;
}

/**
 * Prompt of a form in an editor of VS Code, as a file of its own, like the message of a commit: a save gives its text to the
 * form. The form need not be open.
 */
export class PromptFile {
  readonly path: string;

  constructor(
    place: FormPlace,
    readonly id: TaskId | null,
  ) {
    // Not in the user's language: it stays the same when that is changed.
    const name = id === null ? 'new-task.md' : `task-${String(id)}.md`;
    this.path = path.join(promptFolderOf(place), keyOf(id), name);
  }

  get name(): string {
    return path.basename(this.path);
  }

  get isOpen(): boolean {
    return this.tabs().length > 0;
  }

  get isUnsaved(): boolean {
    return vscode.workspace.textDocuments.some((document) => document.isDirty && this.isAt(document.uri));
  }

  isAt({ fsPath }: vscode.Uri): boolean {
    return fsPath === this.path;
  }

  /** Opens the prompt. One with unsaved changes stays as it is. */
  async open(prompt: string): Promise<void> {
    if (!this.isUnsaved) {
      await makePrivateFolder(path.dirname(this.path));
      await fs.writeFile(this.path, prompt === '' ? '' : `${prompt}\n`);
    }
    await this.show();
  }

  async show(): Promise<void> {
    // Read and written as UTF-8, whatever the user's setting is for other files.
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(this.path), {
      encoding: 'utf8',
    });
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Returns the saved text without white space at its end; null if there is none. */
  async read(): Promise<string | null> {
    const bytes = await readIfThere(this.path);
    return bytes === null ? null : bytes.toString().replaceAll('\r\n', '\n').trimEnd();
  }

  async remove(): Promise<void> {
    await fs.rm(path.dirname(this.path), { recursive: true, force: true });
  }

  /** Removes the file and closes its editor, unless that has unsaved changes. */
  async close(): Promise<void> {
    if (this.isUnsaved) return;
    await this.remove();
    await vscode.window.tabGroups.close(this.tabs());
  }

  private tabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputText && this.isAt(input.uri));
  }
}
