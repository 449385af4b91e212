import type * as vscode from 'vscode';
import type { QueueContext } from '../../app/context/queueContext';
import { type QueueState, viewModelOf } from '../state/queueState';
import type { DraftComments } from './draftComments';

/** Queue of the window, as far as its tasks matter. */
interface ReadQueue {
  readonly key: string;
  readonly queueModel: {
    readonly state: QueueState;
    useQueue(): Promise<{ readonly queueContext: Pick<QueueContext, 'queueFile'> }>;
  };
}

/** Queues of the window. */
interface ReadQueues {
  readonly all: readonly { readonly services: ReadQueue }[];
  onDidChange(listener: () => void): Pick<vscode.Disposable, 'dispose'>;
}

/**
 * Forgets the comments of earlier windows whose task is gone: once for each queue, when it is first read without problems.
 * Later in the window they stay, because the user can take the removal of a row back.
 */
export function forgetOrphans(
  queues: ReadQueues,
  drafts: Pick<DraftComments, 'byTask' | 'remove'>,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): Pick<vscode.Disposable, 'dispose'> {
  const done = new Set<string>();
  const check = ({ key, queueModel }: ReadQueue): void => {
    const viewModel = viewModelOf(queueModel.state);
    if (viewModel === null || viewModel.snapshot.problems.length > 0 || done.has(key)) return;
    done.add(key);
    const ids = new Set(viewModel.tasks.map(({ task }) => task.definition.id));
    if (drafts.byTask.every(({ task }) => ids.has(task))) return;
    forget(queueModel, ids).catch((error: unknown) => {
      log.warn(`Comments of removed tasks stay: ${String(error)}`);
    });
  };
  const forget = async (queueModel: ReadQueue['queueModel'], ids: ReadonlySet<number>): Promise<void> => {
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
