import * as vscode from 'vscode';

/** The open terminal whose own process this is: after a reload nothing else tells a terminal from others. */
export async function findTerminal(pid: number): Promise<vscode.Terminal | null> {
  for (const terminal of vscode.window.terminals) {
    if (terminal.exitStatus === undefined && (await terminal.processId) === pid) return terminal;
  }
  return null;
}
