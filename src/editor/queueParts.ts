import * as vscode from 'vscode';
import { createQueueLanguage } from './queueFile/queueLanguage';
import type { ExtensionServices } from './state/extensionServices';
import { watchFiles } from './watchFiles';
import { showNotifications } from './status/notifications';
import { askForPassword } from './status/passwordMessage';

/** Creates the parts of a queue that the first rows can do without. */
export function createQueueParts(services: ExtensionServices): vscode.Disposable {
  return vscode.Disposable.from(
    createQueueLanguage(services),
    watchFiles(services),
    showNotifications(services),
    askForPassword(services),
    checkAccounts(services),
  );
}

/** Checks who pays, once for each session of the queue. The programs that this starts would delay the first rows. */
function checkAccounts({ queueModel }: ExtensionServices): vscode.Disposable {
  const check = (): void => void queueModel.checkAccount();
  check();
  return queueModel.onDidChange(check);
}
