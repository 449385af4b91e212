import { randomUUID } from 'node:crypto';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { recallDraft, recallEdit } from '../../drafts/formDraft';
import { gatherFacts, type SteadyFacts } from '../../form/formFacts';
import { newValues } from '../../form/formValues';
import type { FormStart } from '../../form/taskForm';
import type { ExtensionServices } from '../../state/extensionServices';
import { nameHere } from '../tasks/addTask';

/** Returns how the form of a task, or of a new one, starts: with what was typed before and not saved. */
export async function prepareForm(services: ExtensionServices, id: TaskId | null): Promise<FormStart> {
  const { queueModel, memory, sentDrafts, key } = services;
  const session = await queueModel.useQueue();
  const facts = await session.use(() => gatherFacts(session));
  if (id === null) {
    const kept = await recallDraft(memory, sentDrafts);
    const { settings } = facts.viewModel.world;
    const values = newValues(nameHere(session.queueContext), settings);
    return { draftId: randomUUID(), values, ...kept, facts, id };
  }
  requireTask(facts, id);
  const values = await facts.readValues(id);
  return { draftId: randomUUID(), values, ...recallEdit(memory, { queue: key, id }, values), facts, id };
}

/** Accepts an invalid row too: the form shows what is wrong with it. */
function requireTask({ viewModel: { tasks, snapshot } }: SteadyFacts, id: TaskId): void {
  if (snapshot.invalidIds.has(id) || tasks.some(({ task }) => task.definition.id === id)) return;
  throw new Problem({ reason: 'no-such-task', kind: 'unknown-task', id });
}
