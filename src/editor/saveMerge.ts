import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Desk } from './desk';
import type { UnsavedQueue } from './unsavedQueue';

/** Where the text that unsaved changes began with is remembered: the editor brings such changes back after a restart. */
const MEMORY = 'unsavedBase';

/** A longer text is not remembered: changes of it that outlive a restart are saved through the editor's own dialog. */
const LONGEST_REMEMBERED = 4 * 1024 * 1024;

type SaveDesk = Pick<Desk, 'keeper' | 'log' | 'memory' | 'queueFile'>;

/**
 * The editor's half of how a queue file is shared. A window with unsaved changes says so, so that nobody writes the file
 * under it; before a save, what happened on the disk meanwhile is merged into the cells that were not touched, so that the
 * save neither loses it nor ends in a dialog; after it, the queue takes up what was saved.
 */
export class SaveMerge implements vscode.Disposable {
  private unsaved: UnsavedQueue | null = null;
  private isMarked = false;
  /** What documents do is taken in one after another, as it was when they did it. */
  private turn: Promise<void> = Promise.resolve();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly desk: SaveDesk) {
    const { workspace } = vscode;
    this.subscriptions = vscode.Disposable.from(
      workspace.onDidOpenTextDocument((document) => this.open(document)),
      workspace.onDidChangeTextDocument(({ document, reason }) =>
        this.change(document, reason !== undefined),
      ),
      workspace.onWillSaveTextDocument((event) => {
        if (this.isQueue(event.document)) event.waitUntil(this.prepareSave(event.document));
      }),
      workspace.onDidSaveTextDocument((document) => this.change(document, false)),
      workspace.onDidCloseTextDocument((document) => this.close(document)),
    );
    for (const document of workspace.textDocuments) this.open(document);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private isQueue({ uri }: vscode.TextDocument): boolean {
    return vscode.workspace.isTrusted && uri.scheme === 'file' && uri.fsPath === this.desk.queueFile;
  }

  private open(document: vscode.TextDocument): void {
    const { isDirty } = document;
    const text = document.getText();
    this.takeIn(document, async () => {
      const { UnsavedQueue: Unsaved } = await import('./unsavedQueue');
      // Dirty from the start: the editor brought back what a restart had found unsaved.
      const base = isDirty ? (this.desk.memory.get<string>(MEMORY) ?? null) : text;
      this.unsaved = new Unsaved(text, base);
      await this.mark(isDirty);
    });
  }

  private change(document: vscode.TextDocument, byUndo: boolean): void {
    const { isDirty } = document;
    const text = document.getText();
    this.takeIn(document, async () => {
      this.unsaved?.change(text, { isDirty, byUndo });
      await this.mark(isDirty);
    });
  }

  private close(document: vscode.TextDocument): void {
    this.takeIn(document, async () => {
      this.unsaved = null;
      await this.mark(false);
    });
  }

  private takeIn(document: vscode.TextDocument, act: () => Promise<void>): void {
    if (!this.isQueue(document)) return;
    this.turn = this.turn.then(act).catch((error: unknown) => {
      this.desk.log.error('Unsaved changes of the queue file could not be told of', String(error));
    });
  }

  private async mark(isDirty: boolean): Promise<void> {
    if (isDirty === this.isMarked) return;
    const { queue, window } = await this.desk.keeper.useSession();
    this.isMarked = isDirty;
    if (isDirty && this.unsaved !== null) {
      const { baseTexts, baseText } = this.unsaved;
      window?.markUnsaved(baseTexts);
      await this.remember(baseText);
      return;
    }
    // Taken up while it is still known what the changes began with; then the file may be written again.
    await queue.writeBack();
    await window?.markSaved();
    await queue.writeBack();
    await this.remember(null);
  }

  private async remember(text: string | null): Promise<void> {
    const isShort = text !== null && text.length <= LONGEST_REMEMBERED;
    await this.desk.memory.update(MEMORY, isShort ? text : undefined);
  }

  private async prepareSave(document: vscode.TextDocument): Promise<vscode.TextEdit[]> {
    await this.turn;
    const { unsaved } = this;
    if (unsaved === null) return [];
    const disk = await fs.readFile(document.uri.fsPath);
    if (unsaved.isBase(disk)) return [];
    const merge = unsaved.mergeWith(disk);
    if (merge.kind === 'conflict') {
      await this.keepOther(document, disk, merge.message);
      return [];
    }
    // The editor takes a file that is newer than what it read, and of another size, for a conflict; this one is merged.
    await fs.utimes(document.uri.fsPath, 0, 0);
    const edits = merge.kind === 'same' ? [] : merge.edits;
    return edits.map(({ start, end, text }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
    );
  }

  /**
   * Two people changed the same: the editor asks which one counts, unless both files happen to have the same size, when it
   * saves without a word. What stands on the disk is kept beside, whatever comes of it.
   */
  private async keepOther({ uri }: vscode.TextDocument, disk: Buffer, why: string): Promise<void> {
    const folder = path.join(path.dirname(uri.fsPath), 'state', 'replaced');
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${String(Date.now())}-${path.basename(uri.fsPath)}`);
    await fs.writeFile(file, disk, { mode: 0o600 });
    this.desk.log.warn(`The queue file was changed by somebody else too. ${why} Their version: ${file}`);
    void this.offerOther(file, why);
  }

  private async offerOther(file: string, why: string): Promise<void> {
    const show = 'Show Their Version';
    const message = `Somebody else changed the queue file too. ${why} Their version is kept.`;
    if ((await vscode.window.showWarningMessage(message, show)) === show)
      await vscode.window.showTextDocument(vscode.Uri.file(file));
  }
}
