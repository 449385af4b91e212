import * as path from 'node:path';
import * as vscode from 'vscode';
import { resolveLinks } from '../../../platform/files/paths';
import type { ExtensionServices } from '../../state/extensionServices';
import { t } from '../../../platform/text/translate';
import { showWarning } from '../../messages';

/**
 * Asks about unsaved changes, because only the file on disk is read: `detail` says for what. Returns false if the user
 * left or could not save.
 */
export async function saveFirst(
  services: Services,
  detail = t('Tasks run as they are saved on disk.'),
): Promise<boolean> {
  const document = await findUnsaved(services);
  if (document === undefined) return true;
  const [save, without] = [t('Save and Continue'), t('Continue Without Saving')];
  const answer = await showWarning(describeUnsaved(document), { modal: true, detail }, save, without);
  return answer === without || (answer === save && (await document.save()));
}

/**
 * Asks to save unsaved changes before rows move: unsaved text cannot be merged with rows in another order. Returns false
 * if the user left or could not save.
 */
export async function saveToMove(services: Services): Promise<boolean> {
  const document = await findUnsaved(services);
  if (document === undefined) return true;
  const save = t('Save and Move');
  const detail = t('Rows can be moved once they are saved.');
  const answer = await showWarning(describeUnsaved(document), { modal: true, detail }, save);
  return answer === save && (await document.save());
}

type Services = Pick<ExtensionServices, 'queueModel'>;

/** Returns the document of the queue file, if it has unsaved changes. */
export async function findUnsaved({ queueModel }: Services): Promise<vscode.TextDocument | undefined> {
  const { queueFile } = (await queueModel.useQueue()).queueContext;
  return vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && resolveLinks(uri.fsPath) === queueFile,
  );
}

/** Says that a document has unsaved changes. */
export function describeUnsaved({ uri }: vscode.TextDocument): string {
  return t('{0} has unsaved changes.', path.basename(uri.fsPath));
}
