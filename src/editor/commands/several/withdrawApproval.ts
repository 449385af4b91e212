import { describeWithdrawn, withdrawApprovals } from '../../../app/approval/withdraw';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';
import type { ExtensionServices } from '../../state/extensionServices';
import { chooseTasks } from '../tasks/taskTarget';

/** Withdraws the approvals of the selected tasks, or of the one that the user chooses. */
export async function withdrawApproval(
  services: ExtensionServices,
  targets: readonly unknown[],
): Promise<void> {
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has('withdraw');
  const ids = await chooseTasks(services, targets, { title: t('Withdraw Approval'), suits });
  if (ids.length === 0) return;
  const withdrawn = await services.queueModel.change(({ queueContext, queue }) =>
    withdrawApprovals(queueContext, queue, ids),
  );
  void showInformation(describeWithdrawn(withdrawn).join(' '));
}
