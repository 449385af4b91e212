import * as vscode from 'vscode';
import { duplicateTask } from '../../../app/actions/rows/duplicateTask';
import type { ExtensionServices } from '../../state/extensionServices';
import { chooseTask } from '../tasks/taskTarget';
import { t } from '../../../platform/text/translate';

/** Adds a pending task with the same cells below the task. */
export async function duplicate(services: ExtensionServices, target: unknown): Promise<void> {
  const id = await chooseTask(services, target, { title: t('Duplicate Task'), suits: () => true });
  if (id === null) return;
  const added = await services.queueModel.change(({ queueContext, queue }) =>
    duplicateTask(queueContext, queue, id),
  );
  vscode.window.setStatusBarMessage(t('Duplicated task {0} as task {1}.', id, added), 5_000);
}
