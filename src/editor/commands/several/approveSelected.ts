import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { ExtensionServices } from '../../state/extensionServices';
import { approveListed } from '../tasks/approve';
import { idsOf } from '../tasks/taskTarget';
import { describeResult, splitSelection } from './selection';
import { showInformation } from '../../messages';

const canApprove = (shown: TaskViewModel): boolean => possibleActions(shown).has('approve');

/** Lists those selected tasks that wait for approval with their permissions, and approves what is picked. */
export async function approveSelected(
  services: ExtensionServices,
  targets: readonly unknown[],
): Promise<void> {
  const session = await services.queueModel.useQueue();
  const { tasks, snapshot } = await session.look();
  const { able, others } = splitSelection(tasks, idsOf(targets), canApprove);
  const done = able.length === 0 ? 0 : await approveListed(services, session, able, snapshot);
  if (others.length > 0 && done === able.length)
    void showInformation(describeResult(done, others, 'approved'));
}
