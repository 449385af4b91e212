import * as vscode from 'vscode';
import { duplicateTask } from '../../../app/actions/rows/duplicateTask';
import type { ExtensionServices } from '../../state/extensionServices';
import { chooseTask } from '../tasks/taskTarget';

/** Adds a pending task with the same cells below the task. */
export async function duplicate(services: ExtensionServices, target: unknown): Promise<void> {
  const id = await chooseTask(services, target, { title: 'Duplicate Task', suits: () => true });
  if (id === null) return;
  const added = await services.queueModel.change(({ queueContext, queue }) =>
    duplicateTask(queueContext, queue, id),
  );
  vscode.window.setStatusBarMessage(`Duplicated task ${String(id)} as task ${String(added)}.`, 5_000);
}
