import { sideOf } from '../../../app/viewModel/moves';
import type { ExtensionServices } from '../../state/extensionServices';
import { unbindTarget } from '../../state/queueTarget';
import { idOf, idsOf } from '../tasks/taskTarget';
import { moveBeside } from './move';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/**
 * Moves the tasks of dropped rows beside the task on which they were dropped: before it if one of them runs after it now,
 * else after it.
 */
export async function dropRows(
  services: ExtensionServices,
  rows: readonly unknown[],
  target: unknown,
): Promise<void> {
  const beside = idOf(target);
  const dropped = idsOf(rows.filter((row) => unbindTarget(row).queue === unbindTarget(target).queue));
  const ids = dropped.filter((id) => id !== beside);
  if (dropped.length === 0 || beside === null) {
    const message = t(
      'Only tasks can be moved. Drop a task on another one of its queue that waits for a slot.',
    );
    void showInformation(message);
    return;
  }
  if (ids.length === 0) return;
  const session = await services.queueModel.useQueue();
  const side = sideOf(await session.look(), ids, beside);
  await moveBeside(services, ids, { beside, side });
}
