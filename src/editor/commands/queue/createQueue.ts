import * as vscode from 'vscode';
import { makeQueue } from '../../../app/actions/newQueue';
import { isProblem } from '../../../domain/problem';
import type { Desk } from '../../state/extensionServices';
import { locateQueue } from './closedQueue';
import { offerAdoption } from './offerAdoption';

/** Makes an empty queue in the workspace and opens it. @throws Problem `queue-exists` */
export async function createQueue(desk: Desk): Promise<void> {
  const site = locateQueue(desk);
  try {
    await makeQueue(site);
  } catch (error) {
    await desk.keeper.refresh();
    if (!isProblem(error, 'queue-exists') || (await offerAdoption(desk)) !== 'adopted') throw error;
  }
  await desk.keeper.refresh();
  await offerAdoption(desk);
  await vscode.window.showTextDocument(vscode.Uri.file(site.options.queue));
}
