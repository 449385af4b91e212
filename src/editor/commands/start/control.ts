import * as vscode from 'vscode';
import { HELD_BY_HAND, holdQueue } from '../../../app/actions/queue/pauseQueue';
import { probeGate } from '../../../app/actions/queue/probeGate';
import { resumeQueue } from '../../../app/actions/queue/resumeQueue';
import { stopQueue } from '../../../app/actions/queue/stopQueue';
import { FILE_IS_GONE, stopUnread } from '../../../app/actions/queue/stopUnread';
import type { StopHow } from '../../../domain/queue/workerStop';
import type { ExtensionServices } from '../../state/extensionServices';
import { isGone, type QueueState } from '../../state/queueState';
import { locateQueue } from '../queue/closedQueue';
import { showProgress } from '../../status/progress';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';
import { reportInto, showInformation, showWarning } from '../../messages';

/** Asks the workers of the queue to stop; if a task is running, asks the user how. */
export async function stop(services: ExtensionServices): Promise<void> {
  const messages: string[] = [];
  const report = reportInto(messages, services.log);
  const why = whyUnread(services.queueModel.state);
  if (why !== null) return stopAllUnread(services, why, { messages, report });
  const how = await askHow(services);
  if (how === null) return;
  const stopping = services.queueModel.change(({ queueContext, queue }) =>
    stopQueue(queueContext, queue, how, report),
  );
  if (!(await showProgress(t('Waiting for running tasks to end'), stopping))) {
    void showWarning(messages.slice(1).join(' '));
  }
}

/** Returns why the queue cannot be read; null: it can, or nothing can be done about its workers from here. */
function whyUnread(state: QueueState): string | null {
  if (isGone(state)) return FILE_IS_GONE;
  return state.kind === 'failing' && state.redis === undefined ? state.message : null;
}

/** Ends the workers of a queue that cannot be read, if the user agrees: their running tasks cannot finish first. */
async function stopAllUnread(
  services: ExtensionServices,
  why: string,
  { messages, report }: { readonly messages: readonly string[]; readonly report: (sentence: string) => void },
): Promise<void> {
  const description = t('a running task is ended and resumes later in its session');
  const items = [{ label: t('Now'), description }];
  const title = addFolderName(services, t('Stop'));
  if ((await vscode.window.showQuickPick(items, { title })) === undefined) return;
  const stopping = stopUnread(await locateQueue(services), why, { how: 'now', report });
  const isStopped = await showProgress(t('Waiting for running tasks to end'), stopping);
  await services.queueModel.refresh();
  if (!isStopped) void showWarning(messages.slice(1).join(' '));
}

async function askHow(services: ExtensionServices): Promise<StopHow | null> {
  const { claims } = await (await services.queueModel.useQueue()).queue.read();
  const running = claims.filter(({ owner, ownerDied }) => owner.kind === 'process' && ownerDied !== true);
  // Nobody waits for the leftover attempts of a dead worker.
  if (running.length === 0) return claims.some(({ ownerDied }) => ownerDied === true) ? 'now' : 'after-task';
  const ids = running.map(({ id }) => String(id)).join(', ');
  const items: (vscode.QuickPickItem & { how: StopHow })[] = [
    { label: t('After this task'), description: t('task {0} finishes first', ids), how: 'after-task' },
    {
      label: t('Now'),
      description: t('task {0} is ended and resumes later in its session', ids),
      how: 'now',
    },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: addFolderName(services, t('Stop')) });
  return chosen?.how ?? null;
}

/** Pauses the queue until `resume`; running attempts continue. */
export async function hold(services: ExtensionServices): Promise<void> {
  await services.queueModel.change(({ queueContext, queue }) =>
    holdQueue(queueContext, queue, { why: HELD_BY_HAND }),
  );
}

/** Resumes the queue, and retries what waits at a closed gate. */
export async function resume(services: ExtensionServices): Promise<void> {
  const { wasPaused, hasOpenedGate } = await services.queueModel.change(({ queueContext, queue }) =>
    resumeQueue(queueContext, queue),
  );
  if (!wasPaused && !hasOpenedGate) void showInformation(t('The queue was not paused.'));
}

/** Lets one task try before the reported reset: the user may have reset the limit. */
export async function tryNow(services: ExtensionServices): Promise<void> {
  await services.queueModel.change(({ queueContext, queue }) => probeGate(queueContext, queue));
}
