import * as vscode from 'vscode';
import { adoptForeign, describeForeign, findForeign } from '../../../app/context/foreignHistory';
import type { Desk } from '../../state/extensionServices';
import { locateQueue } from './closedQueue';

/** Lists a history that was made elsewhere, and takes it over after a yes. @throws Problem `already-running` */
export async function adoptHistory(desk: Desk): Promise<void> {
  const site = locateQueue(desk);
  try {
    if ((await findForeign(site)) === null) return;
    const adopt = 'Adopt History';
    const answer = await vscode.window.showWarningMessage(
      'Adopt the history that was made elsewhere?',
      { modal: true, detail: (await describeForeign(site)).join('\n') },
      adopt,
    );
    if (answer === adopt) void vscode.window.showInformationMessage(await adoptForeign(site));
  } finally {
    await desk.keeper.reopen();
  }
}
