import * as vscode from 'vscode';
import { signInArguments } from '../../../claude/installation/signIn';
import { callCommand } from '../../callCommand';
import type { ExtensionServices } from '../../state/extensionServices';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Opens Claude Code's own sign-in in a terminal, and offers to resume the queue after it succeeded. */
export async function signIn(services: ExtensionServices): Promise<void> {
  const { queueContext } = await services.queueModel.useQueue();
  const { path, auth } = await queueContext.findClaude({ anew: true });
  const terminal = vscode.window.createTerminal({
    name: t('Sign in to Claude Code'),
    shellPath: path,
    shellArgs: signInArguments(auth),
    iconPath: new vscode.ThemeIcon('key'),
  });
  terminal.show();
  if ((await untilClosed(terminal)) !== 0) return;
  // The account, and so its gate, may be another one now.
  await services.queueModel.reopen();
  await offerResume(services);
}

/** Resolves to the exit code of the terminal's program; undefined if the terminal was closed before its end. */
function untilClosed(terminal: vscode.Terminal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const subscription = vscode.window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      subscription.dispose();
      resolve(closed.exitStatus?.code);
    });
  });
}

async function offerResume(services: ExtensionServices): Promise<void> {
  const resume = t('Resume Queue');
  const chosen = await showInformation(t('Sign-in finished. Resume the queue to continue.'), resume);
  if (chosen === resume) await callCommand(services, 'resume');
}
