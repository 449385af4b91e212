import { decideTasks, type Decided } from '../../../app/actions/tasks/decideTask';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { Verb } from '../../../queue/taskQueue';
import type { ExtensionServices } from '../../state/extensionServices';
import { idsOf } from '../tasks/taskTarget';
import type { BulkAction } from './bulkActions';
import { reportResult } from './bulkResult';
import { splitSelection } from './selection';
import { reportInto, showWarning } from '../../messages';

const DONE: Readonly<Record<Verb, BulkAction>> = {
  retry: 'retried',
  accept: 'accepted',
  cancel: 'cancelled',
};

/** Carries out the user's decision about the selected tasks for which it is possible, and reports the others. */
export async function decideSelected(
  services: ExtensionServices,
  targets: readonly unknown[],
  verb: Verb,
): Promise<void> {
  const session = await services.queueModel.useQueue();
  const { tasks } = await session.look();
  const ids = idsOf(targets);
  if (ids.length === 0) return;
  const { able } = splitSelection(tasks, ids, (shown) => possibleActions(shown).has(verb));
  const { done } = await decideAll(
    services,
    able.map(({ task }) => task.definition.id),
    verb,
  );
  const others = ids.filter((id) => !done.includes(id));
  reportResult(done.length, others, DONE[verb]);
}

async function decideAll(services: ExtensionServices, ids: readonly TaskId[], verb: Verb): Promise<Decided> {
  if (ids.length === 0) return { done: [], isClean: true };
  const messages: string[] = [];
  const report = reportInto(messages, services.log);
  const decided = await services.queueModel.change(({ queueContext, queue }) =>
    decideTasks(queueContext, queue, { ids, verb }, report),
  );
  if (!decided.isClean) void showWarning(messages.join(' '));
  return decided;
}
