import { existsSync, mkdirSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { describeError } from '../app/present/problems/problem';
import { PRIVATE_FOLDER } from '../platform/files/files';
import { resolveLinks, userStateFolder } from '../platform/files/paths';
import { QUEUE_FOLDER, QUEUE_NAME, QueuePaths } from '../queue/queuePaths';
import type { EditorSettings } from './state/editorSettings';
import type { ExtensionServices } from './state/extensionServices';
import { settingsFiles } from './state/queuePlace';
import type { QueueState } from './state/queueState';

/** Reads the queue again when one of its files may have changed. VS Code takes 2 ms to create each watch. */
export function watchFiles(services: ExtensionServices): vscode.Disposable {
  const { queueModel, queueFile, redis, settings } = services;
  if (queueFile === null && redis === null) return vscode.Disposable.from();
  const reopen = (): void => void queueModel.reopen();
  const watches = vscode.Disposable.from(
    ...(queueFile === null ? [] : [watchQueueFile(services, queueFile)]),
    ...settingsFiles(services, settings).map((file) => watchFile(file, reopen)),
    watchUserState(services),
  );
  // They may have changed since the first read.
  void queueModel.refresh();
  return watches;
}

/**
 * Watches whether the queue file appears or disappears. The queue itself watches changes in it, unless it could not be
 * opened.
 */
function watchQueueFile({ queueModel }: ExtensionServices, file: string): vscode.Disposable {
  const fixed = (): void => {
    if (queueModel.state.kind !== 'ready') void queueModel.refresh();
  };
  const cameOrWent = (): void => {
    // A save that replaces the file is reported as well.
    if (queueModel.state.kind !== 'ready' || !existsSync(file)) void queueModel.refresh();
  };
  // Watches the queue's folder too: it may appear as a whole, and the editor does not always report what is in it.
  return vscode.Disposable.from(
    watchIn(new QueuePaths(file).workspace, `${QUEUE_FOLDER}{,/${QUEUE_NAME}}`, cameOrWent, fixed),
    ...(resolveLinks(file) === file ? [] : [watchFile(resolveLinks(file), fixed)]),
  );
}

function watchFile(file: string, changed: () => void): vscode.Disposable {
  return watchIn(path.dirname(file), path.basename(file), changed);
}

/** Watches files in a folder; `folder` is a path and no pattern, so a bracket in it means a bracket. */
function watchIn(
  folder: string,
  glob: string,
  cameOrWent: () => void,
  written = cameOrWent,
): vscode.Disposable {
  const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), glob);
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(cameOrWent),
    watcher.onDidChange(written),
    watcher.onDidDelete(cameOrWent),
  );
}

/** Watches approvals and gates, which any queue of this user and any terminal may change, once a queue is shown. */
function watchUserState({ queueModel, settings, log }: ExtensionServices): vscode.Disposable {
  const watches: vscode.Disposable[] = [];
  const start = (state: QueueState): void => {
    if (watches.length > 0 || state.kind !== 'ready' || !vscode.workspace.isTrusted) return;
    watches.push(watchFolder(settings, log, () => void queueModel.refresh()));
  };
  const end = (): void => {
    for (const watch of watches) watch.dispose();
  };
  start(queueModel.state);
  return vscode.Disposable.from(queueModel.onDidChange(start), { dispose: end });
}

function watchFolder(
  settings: EditorSettings,
  log: vscode.LogOutputChannel,
  changed: () => void,
): vscode.Disposable {
  const folder = userStateFolder(settings.environment());
  try {
    // VS Code is slow to notice a folder that is created after the watch started.
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    log.warn(`Approvals in a terminal show late here: ${describeError(error)}`);
  }
  return watchIn(folder, '*/*.json', changed);
}
