import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TextEdit } from '../../queue/csv/textEdits';
import type { ExtensionServices } from '../state/extensionServices';
import { LoggedTurns } from './loggedTurns';
import type { OwnWindow } from './ownWindow';
import { isQueueFile } from '../state/queuePlace';
import { UnsavedMark } from './unsavedMark';
import type { EditBase, UnsavedQueue } from './unsavedQueue';
import { systemClock } from '../../platform/clock';
import { t } from '../../platform/text/translate';
import { showWarning } from '../messages';

/**
 * Time for merges before a save, in ms, if the document or the file keeps changing. VS Code does not wait longer than
 * 1.5 s (measured).
 */
const MERGE_MS = 1_400;

type SaveServices = Pick<ExtensionServices, 'queueModel' | 'log' | 'memory' | 'queueFile'>;

/**
 * Shares the queue file between this window and other processes. While a window has unsaved changes, its marker keeps
 * others from writing the file. Before a save, changes on disk are merged into the cells that the user did not touch,
 * so that the save neither loses them nor opens a dialog. After it, the queue imports what was saved.
 */
export class SaveListener implements vscode.Disposable {
  /** Open documents of the queue file: one, unless it was opened by several paths. */
  private readonly documents = new Map<vscode.TextDocument, UnsavedQueue>();
  private readonly mark: UnsavedMark;
  /** Pending document events, handled one after another. They never wait for the queue: a save waits for them. */
  private readonly turns: LoggedTurns;
  /** Edit base that was last announced. */
  private reported: EditBase | null = null;
  /** Number of times that a document became clean or was saved. */
  private cleanEvents = 0;
  /** Version on disk that this window last could not merge and backed up. */
  private lastBackup: Buffer | null = null;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly services: SaveServices,
    private readonly ownWindow: OwnWindow,
  ) {
    this.turns = new LoggedTurns(services.log);
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
    this.turns.add(async () => {
      const { UnsavedQueue: Unsaved } = await import('./unsavedQueue');
      if (document.isClosed || this.documents.has(document)) return;
      const unsaved = new Unsaved(text);
      this.documents.set(document, unsaved);
      if (isDirty) unsaved.turnDirty(this.mark.remembered);
      // The user may have typed while the module was loaded.
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

  /** VS Code reports isDirty = false before every save, even while the user types. */
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
    // Read at once: others may write later.
    const reading = fs.readFile(document.uri.fsPath);
    // A failure is logged when its turn comes.
    reading.catch(() => undefined);
    this.turns.add(async () => {
      unsaved.endSave(await reading);
      await this.report();
    });
  }

  /** VS Code reports a language change as close and reopen in one tick. */
  private close(document: vscode.TextDocument): void {
    queueMicrotask(() => {
      if (vscode.workspace.textDocuments.includes(document)) return;
      if (this.documents.delete(document)) this.notifyIfChanged();
    });
  }

  private get editBase(): EditBase | null {
    for (const { editBase } of this.documents.values()) if (editBase !== null) return editBase;
    return null;
  }

  private notifyIfChanged(): void {
    if (this.reported !== this.editBase) this.turns.add(() => this.report());
  }

  private async report(): Promise<void> {
    const { editBase } = this;
    await this.mark.report(editBase);
    this.reported = editBase;
  }

  /**
   * Merges the version on disk into the document before a save. After `MERGE_MS` it stops silently: the document is then
   * saved as it is.
   */
  private async prepareSave(document: vscode.TextDocument): Promise<void> {
    const start = systemClock.now();
    await this.turns.awaitAll();
    const unsaved = this.documents.get(document);
    if (unsaved === undefined) return;
    unsaved.startSave();
    do {
      if (await this.mergeDisk(document, unsaved)) return;
    } while (systemClock.now() - start < MERGE_MS);
  }

  /**
   * Merges the version on disk into the document. Returns false to try again: the document or the file changed
   * meanwhile. Returns true if they are merged, and also after a conflict, when the version on disk is backed up.
   */
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
    // Set mtime to 1970 so that VS Code does not report a conflict that is already merged.
    await fs.utimes(uri.fsPath, 0, 0);
    return disk.equals(await fs.readFile(uri.fsPath));
  }

  /**
   * Backs up the version on disk after both sides changed the same cell. VS Code then asks which version to keep,
   * unless both files have the same size: it then saves silently.
   */
  private async backUpDiskVersion({ uri }: vscode.TextDocument, disk: Buffer, why: string): Promise<void> {
    // "Overwrite" in VS Code's dialog is another save.
    if (this.lastBackup?.equals(disk) === true) return;
    const { makeStateFolder } = await import('../../queue/file/stateFolder');
    const state = await this.ownWindow.findState();
    makeStateFolder(state, state.of('replaced'));
    const file = path.join(state.of('replaced'), `${String(Date.now())}-${path.basename(uri.fsPath)}`);
    await fs.writeFile(file, disk, { flag: 'wx', mode: 0o600 });
    this.lastBackup = disk;
    this.services.log.warn(
      `The queue file also changed on disk. ${why} The other version was saved to ${file}`,
    );
    void this.offerOther(file, why);
  }

  private async offerOther(file: string, why: string): Promise<void> {
    const show = t('Show Other Version');
    const message = t('The queue file also changed on disk. {0} The other version was saved.', why);
    if ((await showWarning(message, show)) === show)
      await vscode.window.showTextDocument(vscode.Uri.file(file));
  }
}

/** Apply now: edits passed to waitUntil are dropped if the user types. */
async function applyEdits(document: vscode.TextDocument, edits: readonly TextEdit[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, text);
  }
  return vscode.workspace.applyEdit(edit);
}
