import * as vscode from 'vscode';

/** Returns the open terminal whose own process has this id: after a reload nothing else identifies a terminal. */
export async function findTerminal(pid: number): Promise<vscode.Terminal | null> {
  for (const terminal of vscode.window.terminals) {
    if (terminal.exitStatus === undefined && (await terminal.processId) === pid) return terminal;
  }
  return null;
}
