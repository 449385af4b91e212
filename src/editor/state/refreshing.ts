import * as path from 'node:path';
import * as vscode from 'vscode';
import { QueuePaths } from '../../queue/queuePaths';
import type { ExtensionServices } from './extensionServices';
import { endsUnseen, viewModelOf, type QueueState } from './queueState';

/** Milliseconds between two reads in a focused window: times and the account change without any file of the queue. */
const LOOK_AGAIN_MS = 30_000;

/** Milliseconds between two reads while the state may end without a sign. */
const SOON_AGAIN_MS = 2_000;

/** Reads the queue, and again when it may have changed by the trust, the settings, or the time. */
export function keepFresh(services: ExtensionServices): vscode.Disposable {
  const { queueModel, redis, settings } = services;
  const refresh = (): void => void queueModel.refresh();
  const reopen = (): void => void queueModel.reopen();
  const timer = setInterval(() => {
    if (vscode.window.state.focused) refresh();
    else void refreshIfOutdated(services);
  }, LOOK_AGAIN_MS);
  refresh();
  return vscode.Disposable.from(
    { dispose: () => clearInterval(timer) },
    vscode.workspace.onDidGrantWorkspaceTrust(reopen),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isPromptFile(services, uri)) refresh();
    }),
    settings.onDidChange(reopen),
    onFocus(refresh),
    ...(redis === null ? [] : [redis.onDidChangePassword(reopen)]),
    lookAgainSoon(services),
  );
}

/** Calls when the window gets the focus. VS Code also reports when its user becomes active or idle. */
function onFocus(refresh: () => void): vscode.Disposable {
  let wasFocused = vscode.window.state.focused;
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused && !wasFocused) refresh();
    wasFocused = focused;
  });
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
