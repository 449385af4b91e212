import type * as vscode from 'vscode';
import { viewModelOf } from '../state/queueState';
import type { Queues } from '../state/queues';
import type { ExtensionServices } from '../state/extensionServices';
import type { DraftComments } from './draftComments';

/**
 * Forgets the comments of earlier windows whose task is gone: once for each queue, when it is first read without problems.
 * Later in the window they stay, because the user can take the removal of a row back.
 */
export function forgetOrphans(
  queues: Queues,
  drafts: DraftComments,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): vscode.Disposable {
  const done = new Set<string>();
  const check = ({ key, queueModel }: Pick<ExtensionServices, 'key' | 'queueModel'>): void => {
    const viewModel = viewModelOf(queueModel.state);
    if (viewModel === null || viewModel.snapshot.problems.length > 0 || done.has(key)) return;
    done.add(key);
    const ids = new Set(viewModel.tasks.map(({ task }) => task.definition.id));
    if (drafts.byTask.every(({ task }) => ids.has(task))) return;
    forget(queueModel, ids).catch((error: unknown) => {
      log.warn(`Comments of removed tasks stay: ${String(error)}`);
    });
  };
  const forget = async (
    queueModel: ExtensionServices['queueModel'],
    ids: ReadonlySet<number>,
  ): Promise<void> => {
    const { queueKey } = await import('../../account/approvals');
    const { queueContext } = await queueModel.useQueue();
    const own = queueKey(queueContext.queueFile);
    for (const { queue, task, comments } of drafts.byTask)
      if (queue === own && !ids.has(task)) drafts.remove(comments);
  };
  return queues.onDidChange(() => {
    for (const { services } of queues.all) check(services);
  });
}
