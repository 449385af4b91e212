import * as vscode from 'vscode';
import { userStateFolder } from '../platform/paths';
import type { Desk } from './desk';
import type { EditorSettings } from './editorSettings';

/** Times and the account change without any file of the queue: looked at while somebody looks. */
const LOOK_AGAIN_MS = 30_000;

/** Reads the queue again when it may have changed: its file came or went, the trust, the settings, the time. */
export function keepFresh({ keeper, queueFile, settings }: Desk): vscode.Disposable {
  const refresh = (): void => void keeper.refresh();
  const reopen = (): void => void keeper.reopen();
  const timer = setInterval(() => {
    if (vscode.window.state.focused) refresh();
  }, LOOK_AGAIN_MS);
  refresh();
  return vscode.Disposable.from(
    { dispose: () => clearInterval(timer) },
    vscode.workspace.onDidGrantWorkspaceTrust(reopen),
    settings.onDidChange(reopen),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) refresh();
    }),
    ...(queueFile === null ? [] : [watchFile(queueFile, refresh), watchUserState(settings, refresh)]),
  );
}

/** Only its coming and going: what happens in it the queue itself watches. */
function watchFile(file: string, changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(file, false, true, false);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidDelete(changed));
}

/** Approvals and gates, which any queue of this person and any terminal may change. */
function watchUserState(settings: EditorSettings, changed: () => void): vscode.Disposable {
  const folder = vscode.Uri.file(userStateFolder(settings.environment()));
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*/*.json'));
  return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed));
}
