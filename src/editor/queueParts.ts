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
  );
}
