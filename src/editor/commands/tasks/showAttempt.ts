import { possibleActions } from '../../../app/viewModel/possibleActions';
import { AttemptPage } from '../../attempt/attemptPage';
import type { ExtensionServices } from '../../state/extensionServices';
import { attemptOf, chooseTask } from './taskTarget';
import { t } from '../../../platform/text/translate';

/** Shows an attempt of a task, by default the latest one, as a document, live while it runs. */
export async function showAttempt(services: ExtensionServices, target: unknown): Promise<void> {
  const id = await chooseTask(services, target, {
    title: t('Show Attempt'),
    suits: (shown) => possibleActions(shown).has('showOutput'),
  });
  if (id !== null) await AttemptPage.show(services, id, attemptOf(target));
}
