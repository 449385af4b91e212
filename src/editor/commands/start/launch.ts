import * as vscode from 'vscode';
import { findStop } from '../../../app/present/workers';
import { systemClock } from '../../../platform/clock';
import type { Snapshot } from '../../../queue/taskQueue';
import type { WindowRule } from '../../state/editorSettings';
import type { ExtensionServices } from '../../state/extensionServices';
import { showWork } from '../../terminals/terminals';
import { startProgram } from '../../terminals/workerProcess';
import { askAnew } from './approveChosen';
import { describeTerms } from './terms';
import { t } from '../../../platform/text/translate';

/** Options of the command line for each rule of the editor; `goOn` needs none. */
const WITH_WINDOWS: Readonly<Record<WindowRule, readonly string[]>> = {
  finishTask: ['--with-windows', 'after-task'],
  goOn: [],
  stopNow: ['--with-windows', 'now'],
};

/**
 * Starts the worker as soon as none is running, and shows it. Does nothing if the user cancelled the wait. Returns false,
 * and starts nothing, if during the wait the terms changed that the user agreed to.
 */
export async function launch(services: ExtensionServices, terms: string): Promise<boolean> {
  if (findStop(await look(services)) !== null) {
    if (!(await untilNoWorker(services))) return true;
    if (describeTerms(services, await askAnew(services)) !== terms) return false;
  }
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
  return true;
}

async function look(services: ExtensionServices): Promise<Snapshot> {
  return (await services.queueModel.useQueue()).queue.read();
}

/** Waits until the stopping worker has ended. Returns false if the user cancelled. */
async function untilNoWorker(services: ExtensionServices): Promise<boolean> {
  const location = vscode.ProgressLocation.Notification;
  const title = t('Starts once the worker has stopped');
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_, cancelled) => {
    while (!cancelled.isCancellationRequested) {
      if ((await look(services)).workers.length === 0) return true;
      await systemClock.sleep(LOOK_AGAIN_MS);
    }
    return false;
  });
}

const LOOK_AGAIN_MS = 500;
