import * as vscode from 'vscode';
import { makeQueue } from '../../../app/actions/queue/newQueue';
import { isProblem } from '../../../domain/problem';
import type { ExtensionServices } from '../../state/extensionServices';
import { locateQueue } from './closedQueue';
import { offerAdoption } from './offerAdoption';

/** Creates an empty queue in the workspace and opens it. @throws Problem `queue-exists` */
export async function createQueue(services: ExtensionServices): Promise<void> {
  const queueContext = await locateQueue(services);
  try {
    await makeQueue(queueContext);
  } catch (error) {
    await services.queueModel.refresh();
    if (!isProblem(error, 'queue-exists') || (await offerAdoption(services)) !== 'adopted') throw error;
  }
  await services.queueModel.refresh();
  await offerAdoption(services);
  await vscode.window.showTextDocument(vscode.Uri.file(queueContext.options.queue));
}
