import * as vscode from 'vscode';
import { makeQueue } from '../../app/newQueue';
import { QueueSite } from '../../app/site';
import { isProblem, Problem } from '../../domain/problem';
import type { Desk } from '../desk';
import { createEditorHost } from '../editorHost';
import { offerAdoption } from './offerAdoption';

/** Makes an empty queue in the workspace and opens it. @throws Problem `queue-exists` */
export async function createQueue(desk: Desk): Promise<void> {
  const { queueFile } = desk;
  if (queueFile === null) throw new Problem('queue-missing', 'Open a folder first: the queue is kept in it.');
  const host = createEditorHost(desk.settings.environment(), queueFile, (message) => {
    desk.log.warn(message);
  });
  try {
    await makeQueue(new QueueSite({ queue: queueFile }, host));
  } catch (error) {
    await desk.keeper.refresh();
    if (!isProblem(error, 'queue-exists') || (await offerAdoption(desk)) !== 'adopted') throw error;
  }
  await desk.keeper.refresh();
  await offerAdoption(desk);
  await vscode.window.showTextDocument(vscode.Uri.file(queueFile));
}
