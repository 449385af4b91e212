import * as vscode from 'vscode';
import { continueSession } from '../../app/actions/attempts/continueSession';
import { Problem } from '../../domain/problem';
import { t } from '../../platform/text/translate';
import type { ExtensionServices } from '../state/extensionServices';
import { folderOfAttempt, type KnownAttempt } from './page/pageParts';

/** The official extension, and its command that opens a session by its id. */
const EXTENSION = 'anthropic.claude-code';
const OPEN_SESSION = 'claude-vscode.editor.open';

/** Whether the official extension can open the session: it knows only those of the window's first folder. */
export function canOpenSession(known: KnownAttempt): boolean {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return vscode.extensions.getExtension(EXTENSION) !== undefined && folderOfAttempt(known) === folder;
}

/**
 * Continues the session of an attempt outside the queue.
 * @throws Problem `untrusted`, and what `continueSession` throws
 */
export async function openSession(
  { queueModel }: ExtensionServices,
  { id, number, attempt }: KnownAttempt,
  where: 'terminal' | 'extension',
): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new Problem('untrusted', t('This workspace is not trusted: no session is continued.'));
  const session = await queueModel.useQueue();
  const found = await session.use(() => continueSession(session.queueContext, session.queue, id, number));
  if (where === 'extension') {
    await vscode.commands.executeCommand(OPEN_SESSION, attempt?.session);
    return;
  }
  vscode.window
    .createTerminal({
      name: t('Session of task {0}', id),
      shellPath: found.program,
      shellArgs: [...found.args],
      cwd: found.folder,
      env: { ...found.env },
      iconPath: new vscode.ThemeIcon('comment-discussion'),
    })
    .show();
}
