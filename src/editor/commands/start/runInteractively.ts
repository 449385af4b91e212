import { findRunning } from '../../../app/actions/attempts/userClaim';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { type InteractiveAttempt, prepareAttempt } from '../../../app/actions/attempts/interactiveAttempt';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { ExtensionServices } from '../../state/extensionServices';
import { chooseTask, idOf } from '../tasks/taskTarget';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Opens Claude Code on this task in a terminal: the user answers its dialogs and reports the result. */
export async function runInteractively(services: ExtensionServices, target: unknown): Promise<void> {
  await services.interactiveAttempts.once(idOf(target), () => chooseAndOpen(services, target));
}

async function chooseAndOpen(services: ExtensionServices, target: unknown): Promise<void> {
  // Claude Code, its account and the settings may have changed.
  await services.queueModel.reopen();
  const id = await chooseTask(services, target, {
    title: t('Run This Task Interactively'),
    suits: (shown) => {
      const can = possibleActions(shown);
      return can.has('runInteractively') || can.has('handBack');
    },
  });
  if (id !== null) await openRun(services, id);
}

async function openRun(services: ExtensionServices, id: TaskId): Promise<void> {
  await services.queueModel.change(async (session) => {
    const { queueContext, queue } = session;
    await refuseInsideAttempt(queueContext, queue, 'take tasks');
    const open = await findRunning(queueContext, queue, id);
    if (open !== null && (await services.interactiveAttempts.show(open))) return;
    const run = await prepareAttempt(queueContext, queue, id);
    if (run.kind === 'idle') {
      void showInformation(t('Task {0} cannot be claimed: {1}.', id, run.why));
      return;
    }
    await services.interactiveAttempts.open(session, run);
    showIgnoredCells(run);
  });
}

/** Shows a message if the row's permissions are ignored: its reader expects them to apply. */
function showIgnoredCells({ definition, isApproved }: InteractiveAttempt): void {
  const { id, permissionMode, allowedTools, model } = definition;
  if (isApproved || (permissionMode ?? allowedTools ?? model) === undefined) return;
  void showInformation(
    t(
      'Task {0} is not approved: Claude asks you before it does anything. The permission mode, the tools and the model of its row apply once you approve it.',
      id,
    ),
  );
}
