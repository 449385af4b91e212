import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { ExtensionServices } from '../../state/extensionServices';
import { showTaskOutput } from '../../terminals/terminals';
import { startProgram } from '../../terminals/workerProcess';
import { confirm } from './start';
import { chooseTask } from '../tasks/taskTarget';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Runs the next task unattended, whether a worker is running or not. */
export async function runNextTask(services: ExtensionServices): Promise<void> {
  const { next, tasks } = await (await services.queueModel.useQueue()).look();
  const unapproved = tasks.find(({ reason }) => reason.state === 'unapproved')?.task.definition.id;
  const id = next ?? unapproved;
  if (id === undefined) {
    void showInformation(t('There is no next task. The tree shows why each one waits.'));
    return;
  }
  await run(services, id);
}

/** Runs this task now, unattended, regardless of its place and time. */
export async function runTask(services: ExtensionServices, target: unknown): Promise<void> {
  const id = await chooseTask(services, target, {
    title: t('Run This Task'),
    suits: (shown) => possibleActions(shown).has('run'),
  });
  if (id !== null) await run(services, id);
}

async function run(services: ExtensionServices, id: TaskId): Promise<void> {
  if ((await confirm(services, id)) === null) return;
  await startProgram(services, ['run', '--id', String(id)], ({ claims }) =>
    claims.some((claim) => claim.id === id),
  );
  await services.queueModel.refresh();
  await showTaskOutput(services, id);
}
