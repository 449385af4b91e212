import * as vscode from 'vscode';
import { probeGate } from '../../app/probeGate';
import { signInArguments } from '../../claude/signIn';
import { commandId } from '../commandIds';
import type { Desk } from '../desk';

/** Opens Claude Code's own sign-in in a terminal; the queue resumes when the user says so. */
export async function signIn(desk: Desk): Promise<void> {
  const { site } = await desk.keeper.useSession();
  const { path, auth } = await site.findClaude({ anew: true });
  const terminal = vscode.window.createTerminal({
    name: 'Sign in to Claude Code',
    shellPath: path,
    shellArgs: signInArguments(auth),
    iconPath: new vscode.ThemeIcon('key'),
  });
  terminal.show();
  void offerResume();
}

/** Claude Code does not tell when the sign-in is done. */
async function offerResume(): Promise<void> {
  const resume = 'Resume Queue';
  const chosen = await vscode.window.showInformationMessage(
    'Sign in to Claude Code in the terminal. Then resume the queue.',
    resume,
  );
  if (chosen === resume) await vscode.commands.executeCommand(commandId('resume'));
}

/** Lets one task try before the reset that the account reported: the user may have reset the limit. */
export async function tryNow(desk: Desk): Promise<void> {
  await desk.keeper.change(({ site, queue }) => probeGate(site, queue));
}
