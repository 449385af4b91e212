import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { ExtensionServices } from '../../state/extensionServices';
import { showTaskOutput } from '../../terminals/terminals';
import { chooseTask } from './taskTarget';
import { t } from '../../../platform/text/translate';

/** Shows the latest output of a task, live while it runs. */
export async function showOutput(services: ExtensionServices, target: unknown): Promise<void> {
  const id = await chooseTask(services, target, {
    title: t('Show Output'),
    suits: (shown) => possibleActions(shown).has('showOutput'),
  });
  if (id !== null) await showTaskOutput(services, id);
}
