import * as vscode from 'vscode';
import { describePutAway } from '../../app/historyWords';
import { resetQueue } from '../../app/resetQueue';
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
  const archive = await desk.keeper.change(({ site, queue }) =>
    resetQueue(site, queue, (sentence) => {
      desk.log.info(sentence);
    }),
  );
  void vscode.window.showInformationMessage(describePutAway(archive));
}
