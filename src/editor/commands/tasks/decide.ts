import { decideTask } from '../../../app/actions/tasks/decideTask';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { Verb } from '../../../queue/taskQueue';
import type { ExtensionServices } from '../../state/extensionServices';
import { attemptOf, chooseTask } from './taskTarget';
import { t } from '../../../platform/text/translate';
import { reportInto, showWarning } from '../../messages';

const TITLES: Readonly<Record<Verb, string>> = {
  retry: t('Retry Task'),
  accept: t('Accept Task as Completed'),
  cancel: t('Cancel Task'),
};

/** Carries out the user's decision about one task. */
export async function decide(services: ExtensionServices, target: unknown, verb: Verb): Promise<void> {
  const suits = (shown: TaskViewModel): boolean => possibleActions(shown).has(verb);
  const id = await chooseTask(services, target, { title: TITLES[verb], suits });
  if (id === null) return;
  const messages: string[] = [];
  const report = reportInto(messages, services.log);
  const isDone = await services.queueModel.change(({ queueContext, queue }) =>
    decideTask(queueContext, queue, { id, verb, attempt: attemptOf(target) }, report),
  );
  if (!isDone) void showWarning(messages.join(' '));
}
