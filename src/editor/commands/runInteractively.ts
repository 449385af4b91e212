import * as vscode from 'vscode';
import { refuseInsideRun } from '../../app/insideRun';
import { prepareRun } from '../../app/interactiveRun';
import type { Desk } from '../desk';
import { chooseTask } from './taskTarget';

/** Opens Claude Code on this task in a terminal: the person answers its dialogs, and says what became of the task. */
export async function runInteractively(desk: Desk, target: unknown): Promise<void> {
  const id = await chooseTask(await desk.keeper.useSession(), target, {
    title: 'Run This Task Interactively',
    suits: ({ task, reason }) =>
      task.claim?.owner.kind === 'person' || (task.state.status === 'pending' && reason.shown !== 'dead'),
  });
  if (id === null) return;
  await desk.keeper.change(async (session) => {
    const { site, queue } = session;
    await refuseInsideRun(site, queue, 'take tasks');
    const run = await prepareRun(site, queue, id);
    if (!('shown' in run)) return desk.interactiveRuns.open(session, run);
    void vscode.window.showInformationMessage(`Task ${String(id)} cannot be had: ${run.text || run.shown}.`);
  });
}
