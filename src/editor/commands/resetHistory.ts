import * as vscode from 'vscode';
import { describePutAway } from '../../app/historyWords';
import { refuseInsideRun } from '../../app/insideRun';
import type { Desk } from '../desk';

/** Puts history, logs and outputs away, after a yes. @throws Problem `already-running` */
export async function resetHistory(desk: Desk): Promise<void> {
  const yes = 'Put History Away';
  const answer = await vscode.window.showWarningMessage(
    'Put the history of this queue away?',
    {
      modal: true,
      detail:
        'Attempts, logs and outputs move into state/archive; nothing is deleted. Rows, holds, due times, the budget and sessions stay as they are.',
    },
    yes,
  );
  if (answer !== yes) return;
  const archive = await desk.keeper.change(async ({ site, queue }) => {
    await refuseInsideRun(site, queue, 'put the history away');
    return queue.reset(site.host.createId());
  });
  void vscode.window.showInformationMessage(describePutAway(archive));
}
