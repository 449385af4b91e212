import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TextEdit } from '../../queue/csv/mergeEdits';
import type { ExtensionServices } from '../state/extensionServices';
import type { OwnWindow } from './ownWindow';
import { isQueueFile } from '../state/queuePlace';
import { UnsavedMark } from './unsavedMark';
import type { EditBase, UnsavedQueue } from './unsavedQueue';

/** As often as a document and the disk are brought together that keep changing meanwhile. */
const MAX_MERGE_TRIES = 5;

type SaveServices = Pick<ExtensionServices, 'queueModel' | 'log' | 'memory' | 'queueFile'>;

/**
 * The editor's half of how a queue file is shared. A window with unsaved changes says so, so that nobody writes the file
 * under it; before a save, what happened on the disk meanwhile is merged into the cells that were not touched, so that the
 * save neither loses it nor ends in a dialog; after it, the queue takes up what was saved.
 */
export class SaveMerge implements vscode.Disposable {
  /** The documents that are the queue file: one, unless it was opened by several paths. */
  private readonly documents = new Map<vscode.TextDocument, UnsavedQueue>();
  private readonly mark: UnsavedMark;
  /** What happens to a document is taken in one after another. Nothing here waits for the queue: a save waits for it. */
  private pending: Promise<void> = Promise.resolve();
  /** What was told last. */
  private reported: EditBase | null = null;
  /** How often the document was said to be clean, or saved. */
  private cleanEvents = 0;
  /** What somebody else had on the disk when this window last could not merge it. */
  private lastBackup: Buffer | null = null;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly services: SaveServices,
    private readonly ownWindow: OwnWindow,
  ) {
    this.mark = new UnsavedMark(services, ownWindow);
    const { workspace } = vscode;
    const openAll = (): void => workspace.textDocuments.forEach((document) => this.open(document));
    this.subscriptions = vscode.Disposable.from(
      workspace.onDidGrantWorkspaceTrust(openAll),
      workspace.onDidOpenTextDocument((document) => this.open(document)),
      workspace.onDidChangeTextDocument((event) => this.change(event)),
      workspace.onWillSaveTextDocument((event) => {
        if (this.isQueue(event.document)) event.waitUntil(this.prepareSave(event.document));
      }),
      workspace.onDidSaveTextDocument((document) => this.endSave(document)),
      workspace.onDidCloseTextDocument((document) => this.close(document)),
      services.queueModel.onDidChange((state) => {
        if (state.kind === 'ready') this.mark.reportPending();
      }),
    );
    openAll();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private isQueue({ uri }: vscode.TextDocument): boolean {
    return vscode.workspace.isTrusted && isQueueFile(uri, this.services.queueFile);
  }

  private open(document: vscode.TextDocument): void {
    if (!this.isQueue(document) || this.documents.has(document)) return;
    const { isDirty } = document;
    const text = document.getText();
    this.enqueue(async () => {
      const { UnsavedQueue: Unsaved } = await import('./unsavedQueue');
      if (document.isClosed || this.documents.has(document)) return;
      const unsaved = new Unsaved(text);
      this.documents.set(document, unsaved);
      if (isDirty) unsaved.turnDirty(this.mark.remembered);
      // It may have been typed while this was loaded.
      const now = document.getText();
      if (now !== text) unsaved.change(now, { wasDirty: isDirty, byUndo: false });
      if (document.isDirty) unsaved.turnDirty(this.mark.remembered);
      await this.report();
    });
  }

  private change({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const unsaved = this.documents.get(document);
    if (unsaved === undefined) return;
    if (contentChanges.length > 0) {
      unsaved.change(document.getText(), { wasDirty: document.isDirty, byUndo: reason !== undefined });
    } else if (document.isDirty) {
      unsaved.turnDirty(this.mark.remembered);
    } else {
      this.turnCleanUnlessSaved(unsaved);
      return;
    }
    this.notifyIfChanged();
  }

  /** Of every save the editor says first that the document is clean, also where it was typed meanwhile. */
  private turnCleanUnlessSaved(unsaved: UnsavedQueue): void {
    const cleanEvent = (this.cleanEvents += 1);
    queueMicrotask(() => {
      if (cleanEvent !== this.cleanEvents) return;
      unsaved.turnClean();
      this.notifyIfChanged();
    });
  }

  private endSave(document: vscode.TextDocument): void {
    const unsaved = this.documents.get(document);
    if (unsaved === undefined) return;
    this.cleanEvents += 1;
    // At once: later somebody else may have written.
    const reading = fs.readFile(document.uri.fsPath);
    // What goes wrong is told of in its turn.
    reading.catch(() => undefined);
    this.enqueue(async () => {
      unsaved.endSave(await reading);
      await this.report();
    });
  }

  /** Of another language the editor tells as of a close, and of the same document again in the same turn. */
  private close(document: vscode.TextDocument): void {
    queueMicrotask(() => {
      if (vscode.workspace.textDocuments.includes(document)) return;
      if (this.documents.delete(document)) this.notifyIfChanged();
    });
  }

  private enqueue(act: () => Promise<void>): void {
    this.pending = this.pending.then(act).catch((error: unknown) => {
      this.services.log.error(
        'Unsaved changes of the queue file could not be read or announced',
        String(error),
      );
    });
  }

  private get editBase(): EditBase | null {
    for (const { editBase } of this.documents.values()) if (editBase !== null) return editBase;
    return null;
  }

  private notifyIfChanged(): void {
    if (this.reported !== this.editBase) this.enqueue(() => this.report());
  }

  private async report(): Promise<void> {
    const { editBase } = this;
    await this.mark.report(editBase);
    this.reported = editBase;
  }

  private async prepareSave(document: vscode.TextDocument): Promise<void> {
    await this.pending;
    const unsaved = this.documents.get(document);
    if (unsaved === undefined) return;
    unsaved.startSave();
    for (let tries = 0; tries < MAX_MERGE_TRIES; tries += 1) {
      if (await this.mergeDisk(document, unsaved)) return;
    }
  }

  /** Merges what is on the disk into the document; false: either of them was changed meanwhile. */
  private async mergeDisk(document: vscode.TextDocument, unsaved: UnsavedQueue): Promise<boolean> {
    const { uri } = document;
    const disk = await fs.readFile(uri.fsPath);
    const merge = unsaved.mergeWith(disk);
    if (merge.kind === 'conflict') {
      await this.backUpDiskVersion(document, disk, merge.message);
      return true;
    }
    if (merge.kind === 'merged' && !(await applyEdits(document, merge.edits))) return false;
    if (unsaved.isBase(disk)) return true;
    // The editor takes a file that is newer than what it read, and of another size, for a conflict; this one is merged.
    await fs.utimes(uri.fsPath, 0, 0);
    return disk.equals(await fs.readFile(uri.fsPath));
  }

  /**
   * Two people changed the same: the editor asks which one counts, unless both files happen to have the same size, when it
   * saves without a word. What is on the disk is kept beside, whatever comes of it.
   */
  private async backUpDiskVersion({ uri }: vscode.TextDocument, disk: Buffer, why: string): Promise<void> {
    // "Overwrite" in the editor's question is another save.
    if (this.lastBackup?.equals(disk) === true) return;
    this.lastBackup = disk;
    const { makeStateFolder } = await import('../../queue/file/stateFolder');
    const { state } = this.ownWindow;
    makeStateFolder(state, state.of('replaced'));
    const file = path.join(state.of('replaced'), `${String(Date.now())}-${path.basename(uri.fsPath)}`);
    await fs.writeFile(file, disk, { flag: 'wx', mode: 0o600 });
    this.services.log.warn(
      `The queue file also changed on disk. ${why} The other version was saved to ${file}`,
    );
    void this.offerOther(file, why);
  }

  private async offerOther(file: string, why: string): Promise<void> {
    const show = 'Show Other Version';
    const message = `The queue file also changed on disk. ${why} The other version was saved.`;
    if ((await vscode.window.showWarningMessage(message, show)) === show)
      await vscode.window.showTextDocument(vscode.Uri.file(file));
  }
}

/** Applied at once, not when the save starts: it would start all the same if it was typed before that. */
async function applyEdits(document: vscode.TextDocument, edits: readonly TextEdit[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, text);
  }
  return vscode.workspace.applyEdit(edit);
}
