import { mkdirSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { PRIVATE_FOLDER } from '../../platform/files/files';
import { resolveLinks, userStateFolder } from '../../platform/files/paths';
import { QUEUE_FOLDER, QUEUE_NAME, QueuePaths } from '../../queue/queuePaths';
import type { ExtensionServices } from './extensionServices';
import type { EditorSettings } from './editorSettings';
import { settingsFiles } from './queuePlace';
import { endsUnseen, viewModelOf, type QueueState } from './queueState';

/** Milliseconds between two reads in a focused window: times and the account change without any file of the queue. */
const LOOK_AGAIN_MS = 30_000;

/** Milliseconds between two reads while the state may end without a sign. */
const SOON_AGAIN_MS = 2_000;

/** Reads the queue again when it may have changed: its file, the trust, the settings, or the time. */
export function keepFresh(services: ExtensionServices): vscode.Disposable {
  const { queueModel, queueFile, redis, settings } = services;
  const refresh = (): void => void queueModel.refresh();
  const reopen = (): void => void queueModel.reopen();
  const timer = setInterval(() => {
    if (vscode.window.state.focused) refresh();
    else void refreshIfOutdated(services);
  }, LOOK_AGAIN_MS);
  const place = [
    ...(queueFile === null ? [] : [watchQueueFile(services, queueFile)]),
    ...(redis === null ? [] : [redis.onDidChangePassword(reopen)]),
  ];
  const watches =
    place.length === 0
      ? []
      : [
          ...place,
          lookAgainSoon(services),
          ...settingsFiles(services, settings).map((file) => watchFile(file, reopen)),
          watchUserState(services),
        ];
  refresh();
  return vscode.Disposable.from(
    { dispose: () => clearInterval(timer) },
    vscode.workspace.onDidGrantWorkspaceTrust(reopen),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isPromptFile(services, uri)) refresh();
    }),
    settings.onDidChange(reopen),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) refresh();
    }),
    ...watches,
  );
}

/** Whether a task has its prompt in this file. The queue itself looks at these files only every few seconds. */
function isPromptFile({ queueModel, queueFile }: ExtensionServices, { fsPath }: vscode.Uri): boolean {
  if (queueFile === null) return false;
  const { workspace } = new QueuePaths(queueFile);
  const tasks = viewModelOf(queueModel.state)?.tasks ?? [];
  return tasks.some(({ task }) => {
    const { promptFile } = task.definition;
    return promptFile !== undefined && path.resolve(workspace, promptFile.path) === fsPath;
  });
}

/** Reads a queue again and again while its Redis does not answer, or while a worker runs without the queue file. */
function lookAgainSoon({ queueModel }: ExtensionServices): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  const plan = (state: QueueState): void => {
    end();
    if (endsUnseen(state)) timer = setTimeout(() => void queueModel.refresh(), SOON_AGAIN_MS);
  };
  return vscode.Disposable.from(queueModel.onDidChange(plan), { dispose: end });
}

/** Reads the queue in a window without focus only if something the user is notified of may have happened. */
async function refreshIfOutdated({ queueModel, log }: ExtensionServices): Promise<void> {
  const viewModel = viewModelOf(queueModel.state);
  if (viewModel === null) return;
  try {
    const { isOutdated } = await import('../../app/viewModel/outdated');
    if (await isOutdated(await queueModel.useQueue(), viewModel)) await queueModel.refresh();
  } catch (error) {
    const { describeError } = await import('../../app/present/problems/problem');
    log.warn(`The queue could not be checked: ${describeError(error)}`);
  }
}

/**
 * Watches whether the queue file appears or disappears. The queue itself watches changes in it, unless it could not be
 * opened.
 */
function watchQueueFile({ queueModel }: ExtensionServices, file: string): vscode.Disposable {
  const refresh = (): void => void queueModel.refresh();
  const fixed = (): void => {
    if (queueModel.state.kind !== 'ready') refresh();
  };
  // Watches the queue's folder too: it may appear as a whole, and the editor does not always report what is in it.
  return vscode.Disposable.from(
    watchIn(new QueuePaths(file).workspace, `${QUEUE_FOLDER}{,/${QUEUE_NAME}}`, refresh, fixed),
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
    log.warn(`Approvals in a terminal show late here: ${String(error)}`);
  }
  return watchIn(folder, '*/*.json', changed);
}
