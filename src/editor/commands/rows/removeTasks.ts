import * as vscode from 'vscode';
import { removeTasks, restoreTasks } from '../../../app/actions/rows/removeTasks';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { RemovedRow } from '../../../queue/row/removedRow';
import type { ExtensionServices } from '../../state/extensionServices';
import { describeResult } from '../several/selection';
import { chooseTask, idsOf } from '../tasks/taskTarget';
import { describeRemoval, describeRestoration, explainKept, findRemovable } from './removable';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Removes a task, and offers to undo that. */
export async function removeTask(services: ExtensionServices, target: unknown): Promise<void> {
  const id = await chooseTask(services, target, {
    title: t('Remove Task'),
    suits: (shown) => possibleActions(shown).has('remove'),
  });
  if (id !== null) await remove(services, [id], describeRemoval([id]));
}

/** Removes those selected tasks that can be removed, and offers to undo that. */
export async function removeSelected(
  services: ExtensionServices,
  targets: readonly unknown[],
): Promise<void> {
  const session = await services.queueModel.useQueue();
  const { snapshot } = await session.look();
  const ids = idsOf(targets);
  const removable = findRemovable(snapshot.tasks, ids);
  const others = ids.filter((id) => !removable.includes(id));
  const message =
    others.length === 0
      ? describeRemoval(removable)
      : [
          describeResult(removable.length, others, 'removed'),
          ...explainKept(snapshot.tasks, others, removable),
        ].join(' ');
  if (removable.length > 0) return remove(services, removable, message);
  if (ids.length > 0) void showInformation(message);
}

async function remove(services: ExtensionServices, ids: readonly TaskId[], message: string): Promise<void> {
  const rows = await services.queueModel.change(({ queueContext, queue }) =>
    removeTasks(queueContext, queue, ids),
  );
  const undo = t('Undo');
  if ((await showInformation(message, undo)) === undo) await restore(services, rows);
}

async function restore(services: ExtensionServices, rows: readonly RemovedRow[]): Promise<void> {
  await services.queueModel.change(({ queueContext, queue }) => restoreTasks(queueContext, queue, rows));
  vscode.window.setStatusBarMessage(describeRestoration(rows.map(({ id }) => id)), 5_000);
}
