import * as vscode from 'vscode';

/**
 * Returns the command that opens a setting, such as `claudeQueue.claude`, of the machine that runs the extension: in a
 * remote window, that of the remote machine.
 */
export function settingCommand(name: string): Pick<vscode.Command, 'command' | 'arguments'> {
  const where = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  return { command: `workbench.action.${where}`, arguments: [{ query: name }] };
}
