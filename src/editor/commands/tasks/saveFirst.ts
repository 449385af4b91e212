import * as path from 'node:path';
import * as vscode from 'vscode';
import { resolveLinks } from '../../../platform/files/paths';
import type { ExtensionServices } from '../../state/extensionServices';

/**
 * Asks about unsaved changes, because a worker reads only the file on disk. Returns false if the user left or could not
 * save.
 */
export async function saveFirst({ queueModel }: ExtensionServices): Promise<boolean> {
  const { queueFile } = (await queueModel.useQueue()).queueContext;
  const document = vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && resolveLinks(uri.fsPath) === queueFile,
  );
  if (document === undefined) return true;
  const [save, without] = ['Save and Continue', 'Continue Without Saving'];
  const answer = await vscode.window.showWarningMessage(
    `${path.basename(queueFile)} has unsaved changes.`,
    { modal: true, detail: 'Tasks run as they are saved on disk.' },
    save,
    without,
  );
  return answer === without || (answer === save && (await document.save()));
}
