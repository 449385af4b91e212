import * as path from 'node:path';
import * as vscode from 'vscode';
import type { EditorSettings } from './editorSettings';
import type { QueueSession } from './session';

const QUEUE_FILE = path.join('claude_queue', 'prompts.csv');

/** The queue file of the workspace's first folder, whether it is there or not; null where no folder is open. */
export function findQueueFile(): string | null {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder === undefined ? null : path.join(folder.uri.fsPath, QUEUE_FILE);
}

/** Opens the queue as the workspace's trust allows; null where no folder is open. */
export async function openSession(
  file: string | null,
  settings: EditorSettings,
  log: vscode.LogOutputChannel,
): Promise<QueueSession | null> {
  if (file === null) return null;
  const { QueueSession: Session } = await import('./session');
  return Session.open({
    file,
    folder: path.dirname(path.dirname(file)),
    env: settings.environment(),
    isTrusted: vscode.workspace.isTrusted,
    warn: (message) => {
      log.warn(message);
    },
  });
}

/** What an error of reading the queue means for what is shown; the same error is logged once. */
export function explainUnread(
  log: vscode.LogOutputChannel,
): (error: unknown) => Promise<{ readonly missing: boolean; readonly message: string }> {
  let last = '';
  return async (error) => {
    const { isProblem } = await import('../domain/problem');
    const missing = isProblem(error, 'queue-missing');
    const message = error instanceof Error ? error.message : String(error);
    if (!missing && message !== last) {
      log.error('The queue cannot be read', isProblem(error) || !(error instanceof Error) ? message : error);
      last = message;
    }
    return { missing, message };
  };
}
