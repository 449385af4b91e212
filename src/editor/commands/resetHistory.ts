import * as path from 'node:path';
import * as vscode from 'vscode';
import { describePutAway } from '../../app/historyWords';
import { resetQueue } from '../../app/resetQueue';
import { QueueSite } from '../../app/site';
import type { Desk } from '../desk';
import { createEditorHost } from '../editorHost';

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
  const { queueFile } = desk;
  if (queueFile === null) return;
  const warn = (sentence: string): void => {
    desk.log.info(sentence);
  };
  const site = new QueueSite(
    { queue: queueFile },
    createEditorHost(desk.settings.environment(), path.dirname(queueFile), warn),
  );
  try {
    void vscode.window.showInformationMessage(describePutAway(await resetQueue(site, warn)));
  } finally {
    await desk.keeper.reopen();
  }
}
