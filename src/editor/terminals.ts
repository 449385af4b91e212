import * as vscode from 'vscode';
import type { TaskId } from '../domain/task';
import type { Desk } from './desk';

/** Where the process of the terminal that shows the work is remembered, over reloads of the window. */
const MEMORY = 'workTerminal';

/** Shows Claude at work: the terminal that is there already, also after a reload, or a new one. */
export async function showWork(desk: Desk): Promise<void> {
  const terminal = (await findWorkTerminal(desk)) ?? openProgram(desk, 'Claude Queue', ['attach']);
  terminal.show(true);
  await desk.memory.update(MEMORY, await terminal.processId);
}

/** Shows the newest output of a task, live while it runs. */
export function showTaskOutput(desk: Desk, id: TaskId): void {
  openProgram(desk, `Output of task ${String(id)}`, ['attach', String(id), '--stay']).show(true);
}

/** A terminal that a reload gave back has neither its name nor its arguments: only its process tells it. */
async function findWorkTerminal({ memory }: Desk): Promise<vscode.Terminal | undefined> {
  const remembered = memory.get<number>(MEMORY);
  if (remembered === undefined) return undefined;
  for (const terminal of vscode.window.terminals) {
    const isOver = terminal.exitStatus !== undefined;
    if (!isOver && (await terminal.processId) === remembered) return terminal;
  }
  return undefined;
}

/** `claude-queue` as the terminal's own process: no shell is between. */
function openProgram(desk: Desk, name: string, args: readonly string[]): vscode.Terminal {
  const { queueFile, program, settings } = desk;
  return vscode.window.createTerminal({
    name,
    shellPath: process.execPath,
    shellArgs: [program, '--queue', queueFile ?? '', ...args],
    env: { ...settings.overrides(), ELECTRON_RUN_AS_NODE: '1' },
    iconPath: new vscode.ThemeIcon('list-ordered'),
  });
}
