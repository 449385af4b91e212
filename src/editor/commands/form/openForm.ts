import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { Attachment } from '../../form/attachments';
import { recallDraft, recallEdit } from '../../drafts/formDraft';
import { gatherFacts, type SteadyFacts } from '../../form/formFacts';
import { newValues } from '../../form/formValues';
import { keyOf, TaskForm, type FormStart } from '../../form/taskForm';
import type { ExtensionServices } from '../../state/extensionServices';
import { ensureQueue, nameHere } from '../tasks/addTask';
import { chooseTask } from '../tasks/taskTarget';
import { t } from '../../../platform/text/translate';

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
  const session = await services.queueModel.useQueue();
  const facts = await session.use(() => gatherFacts(session));
  const { settings } = facts.viewModel.world;
  const kept = await recallDraft(services.memory, services.sentDrafts);
  const start = kept ?? { values: newValues(nameHere(session.queueContext), settings) };
  await openForm(services, { ...start, facts, id: null }, attachments);
}

/** Opens the form of a task's row. Changes that were typed and not saved are there again. */
export async function openEditForm(services: ExtensionServices, target: unknown): Promise<void> {
  const session = await services.queueModel.useQueue();
  const id = await chooseTask(services, target, { title: t('Edit Task'), suits: () => true });
  if (id === null) return;
  const open = services.forms.find(keyOf(id));
  if (open !== undefined) {
    open.showWith([]);
    return;
  }
  const facts = await session.use(() => gatherFacts(session));
  requireTask(facts, id);
  const values = await facts.readValues(id);
  const kept = recallEdit(services.memory, { queue: services.key, id }, values);
  await openForm(services, { ...(kept ?? { values }), facts, id }, []);
}

/** Accepts an invalid row too: the form shows what is wrong with it. */
function requireTask({ viewModel: { tasks, snapshot } }: SteadyFacts, id: TaskId): void {
  if (snapshot.invalidIds.has(id) || tasks.some(({ task }) => task.definition.id === id)) return;
  throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
}

async function openForm(
  services: ExtensionServices,
  start: FormStart,
  attachments: readonly Attachment[],
): Promise<void> {
  const form = new TaskForm(services, start);
  services.forms.add(keyOf(start.id), form);
  await form.fill();
  form.showWith(attachments);
}
