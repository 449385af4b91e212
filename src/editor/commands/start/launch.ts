import * as vscode from 'vscode';
import { findStop } from '../../../app/present/workers';
import { systemClock } from '../../../platform/clock';
import type { Snapshot } from '../../../queue/taskQueue';
import type { WindowRule } from '../../state/editorSettings';
import type { ExtensionServices } from '../../state/extensionServices';
import { showWork } from '../../terminals/terminals';
import { startProgram } from '../../terminals/workerProcess';
import { t } from '../../../platform/text/translate';

/** Options of the command line for each rule of the editor; `goOn` needs none. */
const WITH_WINDOWS: Readonly<Record<WindowRule, readonly string[]>> = {
  finishTask: ['--with-windows', 'after-task'],
  goOn: [],
  stopNow: ['--with-windows', 'now'],
};

/** Starts the worker as soon as none is running, and shows it. Does nothing if the user cancelled the wait. */
export async function launch(services: ExtensionServices): Promise<void> {
  if (!(await untilNoWorker(services))) return;
  const args = ['work', '--alone', ...WITH_WINDOWS[services.settings.whenLastWindowCloses]];
  const startedAt = systemClock.now();
  // A stop request that came before the worker was there has been heard.
  await startProgram(
    services,
    args,
    ({ workers: now, stop }) => now.length > 0 || (stop?.at ?? 0) >= startedAt,
  );
  await services.queueModel.refresh();
  await showWork(services);
}

/** Waits until a stopping worker has ended. Returns false if the user cancelled, or if it is not stopping any more. */
async function untilNoWorker(services: ExtensionServices): Promise<boolean> {
  const look = async (): Promise<Snapshot> => (await services.queueModel.useQueue()).queue.read();
  if (findStop(await look()) === null) return true;
  const location = vscode.ProgressLocation.Notification;
  const title = t('Starts once the worker has stopped');
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_, cancelled) => {
    while (!cancelled.isCancellationRequested) {
      if ((await look()).workers.length === 0) return true;
      await systemClock.sleep(LOOK_AGAIN_MS);
    }
    return false;
  });
}

const LOOK_AGAIN_MS = 500;
