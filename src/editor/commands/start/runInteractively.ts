import * as vscode from 'vscode';
import { findAtWork } from '../../../app/actions/userClaim';
import { refuseInsideRun } from '../../../app/actions/insideRun';
import { type InteractiveRun, prepareRun } from '../../../app/actions/interactiveRun';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import type { TaskId } from '../../../domain/task/task';
import type { Desk } from '../../state/extensionServices';
import { chooseTask, idOf } from '../tasks/taskTarget';

/** Opens Claude Code on this task in a terminal: the person answers its dialogs, and says what became of the task. */
export async function runInteractively(desk: Desk, target: unknown): Promise<void> {
  await desk.interactiveRuns.once(idOf(target), () => chooseAndOpen(desk, target));
}

async function chooseAndOpen(desk: Desk, target: unknown): Promise<void> {
  // Claude Code, its account and the settings may be other ones by now.
  await desk.keeper.reopen();
  const id = await chooseTask(await desk.keeper.useSession(), target, {
    title: 'Run This Task Interactively',
    suits: (shown) => {
      const can = possibleActions(shown);
      return can.has('runInteractively') || can.has('handBack');
    },
  });
  if (id !== null) await openRun(desk, id);
}

async function openRun(desk: Desk, id: TaskId): Promise<void> {
  await desk.keeper.change(async (session) => {
    const { site, queue } = session;
    await refuseInsideRun(site, queue, 'take tasks');
    const open = await findAtWork(site, queue, id);
    if (open !== null && (await desk.interactiveRuns.show(open))) return;
    const run = await prepareRun(site, queue, id);
    if ('shown' in run) {
      const why = run.text || run.shown;
      void vscode.window.showInformationMessage(`Task ${String(id)} cannot be had: ${why}.`);
      return;
    }
    await desk.interactiveRuns.open(session, run);
    tellWhatDoesNotCount(run);
  });
}

/** A person who reads the row expects that Claude may do what stands in it. */
function tellWhatDoesNotCount({ definition, isApproved }: InteractiveRun): void {
  const { id, permissionMode, allowedTools, model } = definition;
  if (isApproved || (permissionMode ?? allowedTools ?? model) === undefined) return;
  void vscode.window.showInformationMessage(
    `Task ${String(id)} is not approved: Claude asks you before it does anything. The permission mode, the tools and ` +
      'the model of its row count once you approve it.',
  );
}
