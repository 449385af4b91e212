import * as vscode from 'vscode';
import { commandId, type CommandName } from './commandIds';
import type { WindowServices } from './state/services';
import { bindTarget } from './state/queueTarget';

/** Calls a command of this extension for the queue of these services. */
export async function callCommand(
  { key }: Pick<WindowServices, 'key'>,
  name: CommandName,
  target?: unknown,
): Promise<void> {
  await vscode.commands.executeCommand(commandId(name), bindTarget(key, target));
}
