import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { approveTasks } from '../../../app/approval/approval';
import { requireUsable } from '../../../app/present/installation';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import type { Installation } from '../../../claude/installation/installation';
import type { TaskId } from '../../../domain/task/task';
import type { ExtensionServices } from '../../state/extensionServices';
import { findChanged, type StartPlan } from '../../state/startPlan';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/**
 * Asks Claude Code again for its version and account, and reads the settings again.
 * @throws Problem `claude-missing`, `not-paid`, `settings-invalid`
 */
export async function askAnew(services: ExtensionServices): Promise<Installation> {
  await services.queueModel.reopen();
  const { queueContext, queue } = await services.queueModel.useQueue();
  await refuseInsideAttempt(queueContext, queue, 'run tasks');
  await queueContext.configureStrictly();
  const claude = await queueContext.findClaude();
  requireUsable(claude);
  return claude;
}

/**
 * Approves these rows exactly as they were listed, and says which rows of the plan changed since: they wait. Returns
 * false if the one task to run was changed meanwhile.
 */
export async function approveChosen(
  services: ExtensionServices,
  plan: StartPlan,
  chosen: readonly TaskViewModel[],
): Promise<boolean> {
  if (chosen.length > 0)
    await services.queueModel.change(({ queueContext, queue }) => approveTasks(queueContext, queue, chosen));
  const listed = [...chosen, ...plan.approved];
  const changed = findChanged(listed, await (await services.queueModel.useQueue()).look());
  if (changed.length === 0) return true;
  void showInformation(describeChanged(changed));
  return plan.only === null;
}

function describeChanged(ids: readonly TaskId[]): string {
  const listed = ids.join(', ');
  return ids.length === 1
    ? t('Task {0} changed while the list was open: it waits for your approval.', listed)
    : t('Task {0} changed while the list was open: they wait for your approval.', listed);
}
