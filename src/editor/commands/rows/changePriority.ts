import * as vscode from 'vscode';
import { editTasks } from '../../../app/actions/rows/editTask';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { PRIORITIES, type Priority } from '../../../domain/task/priority';
import type { ExtensionServices } from '../../state/extensionServices';
import { reportResult } from '../several/bulkResult';
import { describeUnchangeable, splitSelection } from '../several/selection';
import { chooseTasks } from '../tasks/taskTarget';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

const TITLE = t('Change Priority');

/** Asks for a priority, and gives it to the tasks. */
export async function changePriority(
  services: ExtensionServices,
  targets: readonly unknown[],
): Promise<void> {
  const session = await services.queueModel.useQueue();
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('changePriority');
  const ids = await chooseTasks(services, targets, { title: TITLE, suits });
  if (ids.length === 0) return;
  const { able } = splitSelection((await session.look()).tasks, ids, suits);
  if (able.length === 0) {
    void showInformation(describeUnchangeable(ids));
    return;
  }
  const priority = await pickPriority(services, able);
  if (priority === undefined) return;
  const done = able.map(({ task }) => task.definition.id);
  const changed = await services.queueModel.change(({ queueContext, queue }) =>
    editTasks(queueContext, queue, done, { priority }),
  );
  const others = ids.filter((id) => !changed.includes(id));
  reportResult(changed.length, others, { priority });
}

/** Lets the user choose among the four; the one that all these tasks have is marked. */
async function pickPriority(
  services: ExtensionServices,
  tasks: readonly TaskViewModel[],
): Promise<Priority | undefined> {
  const current = new Set(tasks.map(({ task }) => task.definition.priority));
  const items = PRIORITIES.map((label) => ({
    label,
    description: current.size === 1 && current.has(label) ? t('current') : '',
  }));
  const [first, ...others] = tasks.map(({ task }) => task.definition.id);
  const title =
    others.length === 0
      ? t('Change Priority of task {0}', String(first))
      : t('Change Priority of {0} tasks', tasks.length);
  const chosen = await vscode.window.showQuickPick(items, {
    title: addFolderName(services, title),
    placeHolder: t('Within a priority, tasks run in the order of their rows'),
  });
  return chosen?.label;
}
