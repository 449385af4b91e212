import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { PRIVATE_FOLDER } from '../../platform/files/files';

/** Receives what happens to a prompt that is open in an editor. */
export interface PromptListener {
  /** Takes the text that was saved. */
  readonly take: (text: string) => void;
  /** The editor was closed. */
  readonly end: () => void;
}

/** Prompt in an editor of VS Code, as a file of its own, like the message of a commit: a save gives its text to the form. */
export class PromptEditor {
  private readonly subscriptions: vscode.Disposable;

  private constructor(
    private readonly document: vscode.TextDocument,
    { take, end }: PromptListener,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (this.isOf(saved.uri)) take(saved.getText().replaceAll('\r\n', '\n').trimEnd());
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (!closed.some((tab) => this.isIn(tab)) || this.tabs().length > 0) return;
        this.subscriptions.dispose();
        void fs.rm(path.dirname(document.uri.fsPath), { recursive: true, force: true });
        end();
      }),
    );
  }

  /** Opens a text. One with unsaved changes, from before the window was loaded again, stays as it is. */
  static async open(file: string, text: string, listener: PromptListener): Promise<PromptEditor> {
    const uri = vscode.Uri.file(file);
    const isUnsaved = vscode.workspace.textDocuments.some(
      ({ uri: { fsPath }, isDirty }) => isDirty && fsPath === uri.fsPath,
    );
    if (!isUnsaved) {
      await fs.mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
      await fs.writeFile(file, text === '' ? '' : `${text}\n`);
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return new PromptEditor(document, listener);
  }

  get name(): string {
    return path.basename(this.document.uri.fsPath);
  }

  get isUnsaved(): boolean {
    return this.document.isDirty;
  }

  async show(): Promise<void> {
    await vscode.window.showTextDocument(this.document);
  }

  /** Closes the editor unless it has unsaved changes. */
  async close(): Promise<void> {
    if (!this.isUnsaved) await vscode.window.tabGroups.close(this.tabs());
  }

  private tabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => this.isIn(tab));
  }

  private isIn({ input }: vscode.Tab): boolean {
    return input instanceof vscode.TabInputText && this.isOf(input.uri);
  }

  private isOf({ fsPath }: vscode.Uri): boolean {
    return fsPath === this.document.uri.fsPath;
  }
}
