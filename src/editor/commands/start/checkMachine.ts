import { describeChecks } from '../../../app/present/checks';
import { checkMachine } from '../../../app/checks/machineCheck';
import type { ExtensionServices } from '../../state/extensionServices';
import { showProgress } from '../../status/progress';

/** Shows what tasks need of this machine, and how to fix what is missing. */
export async function checkThisMachine(services: ExtensionServices): Promise<void> {
  // Claude Code may have changed, which may be why the user asks.
  await services.queueModel.reopen();
  const session = await services.queueModel.useQueue();
  const checked = await session.use(() =>
    showProgress('Checking this machine…', checkMachine(session.queueContext)),
  );
  await services.texts.show('Check This Machine', `${describeChecks(checked).join('\n')}\n`);
}
