import * as vscode from 'vscode';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { Desk } from '../../state/extensionServices';
import { showTaskOutput } from '../../terminals/terminals';
import { startProgram } from '../../terminals/workerProcess';
import { confirm } from './start';
import { chooseTask } from '../tasks/taskTarget';

/** Runs the task that is next, unattended, whether a worker is at work or not. */
export async function runNextTask(desk: Desk): Promise<void> {
  const { next, tasks } = await (await desk.keeper.useSession()).look();
  const unapproved = tasks.find(({ reason }) => reason.shown === 'unapproved')?.task.definition.id;
  const id = next ?? unapproved;
  if (id === undefined) {
    void vscode.window.showInformationMessage('There is no next task: the tree tells why each one waits.');
    return;
  }
  await run(desk, id);
}

/** Runs this task now, unattended, whatever its place and time. */
export async function runTask(desk: Desk, target: unknown): Promise<void> {
  const id = await chooseTask(await desk.keeper.useSession(), target, {
    title: 'Run This Task',
    suits: (shown) => possibleActions(shown).has('run'),
  });
  if (id !== null) await run(desk, id);
}

async function run(desk: Desk, id: TaskId): Promise<void> {
  if (!(await confirm(desk, id))) return;
  await startProgram(desk, ['run', '--id', String(id)], ({ claims }) =>
    claims.some((claim) => claim.id === id),
  );
  await desk.keeper.refresh();
  showTaskOutput(desk, id);
}
