import * as path from 'node:path';
import * as vscode from 'vscode';
import { writeExport } from '../../../app/actions/rows/exportRows';
import type { ExtensionServices } from '../../state/extensionServices';
import { saveFirst } from '../tasks/saveFirst';
import { t } from '../../../platform/text/translate';

/** Asks for a file, and writes the rows of the queue into it, as CSV with the current status of the tasks. */
export async function exportTasks(services: ExtensionServices): Promise<void> {
  if (!(await saveFirst(services, t('Rows are exported as they are saved on disk.')))) return;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Tasks as CSV'),
    saveLabel: t('Export'),
    filters: { CSV: ['csv'] },
    defaultUri: vscode.Uri.file(path.join(services.folder, 'tasks.csv')),
  });
  if (uri === undefined) return;
  // The dialog has asked whether to replace a file.
  await services.queueModel.change(({ queueContext, queue }) =>
    writeExport(queueContext, queue, uri.fsPath, { force: true }),
  );
  vscode.window.setStatusBarMessage(t('Exported the queue to {0}.', path.basename(uri.fsPath)), 5_000);
}
