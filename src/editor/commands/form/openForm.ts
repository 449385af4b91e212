import type { TaskId } from '../../../domain/task/task';
import type { Attachment } from '../../form/attachments';
import { keyOf } from '../../form/promptFile';
import { TaskForm } from '../../form/taskForm';
import type { ExtensionServices } from '../../state/extensionServices';
import { ensureQueue } from '../tasks/addTask';
import { chooseTask } from '../tasks/taskTarget';
import { t } from '../../../platform/text/translate';
import { prepareForm } from './formStart';
import { collectPrompts } from './keptPrompts';

/** Opens the form for a new task, with context for its prompt. A task that was typed and not added is there again. */
export async function openAddForm(
  services: ExtensionServices,
  attachments: readonly Attachment[] = [],
): Promise<void> {
  const open = services.forms.find(keyOf(null));
  if (open !== undefined) {
    open.showWith(attachments);
    return;
  }
  await ensureQueue(services);
  await openForm(services, null, attachments);
}

/** Opens the form of a task's row. Changes that were typed and not saved are there again. */
export async function openEditForm(services: ExtensionServices, target: unknown): Promise<void> {
  await services.queueModel.useQueue();
  const id = await chooseTask(services, target, { title: t('Edit Task'), suits: () => true });
  if (id === null) return;
  const open = services.forms.find(keyOf(id));
  if (open !== undefined) {
    open.showWith([]);
    return;
  }
  await openForm(services, id, []);
}

async function openForm(
  services: ExtensionServices,
  id: TaskId | null,
  attachments: readonly Attachment[],
): Promise<void> {
  await collectPrompts(services);
  const form = new TaskForm(services, await prepareForm(services, id));
  services.forms.add(keyOf(id), form);
  await form.fill();
  form.showWith(attachments);
}
