import * as vscode from 'vscode';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { TaskId } from '../../domain/task/task';
import { systemProcesses } from '../../platform/processes/processes';
import type { ExtensionServices } from '../state/extensionServices';
import { findTerminal } from './findTerminal';

/** Key under which the process of the worker's terminal is remembered, across reloads of the window. */
const MEMORY = 'workTerminal';

/** Shows the worker: its existing terminal, also after a reload, or a new one. */
export async function showWork(services: ExtensionServices): Promise<void> {
  const terminal = (await findWorkTerminal(services)) ?? openProgram(services, 'Claude Queue', ['attach']);
  terminal.show(true);
  await services.memory.update(MEMORY, identify(await terminal.processId));
}

/** Shows the latest output of a task, live while it runs; closes terminals with older output. */
export function showTaskOutput(services: ExtensionServices, id: TaskId): void {
  const args = ['attach', String(id), '--stay'];
  const older = vscode.window.terminals.filter((terminal) => shows(terminal, args));
  openProgram(services, `Output of task ${String(id)}`, args).show(true);
  for (const terminal of older) terminal.dispose();
}

function shows({ creationOptions }: vscode.Terminal, args: readonly string[]): boolean {
  const given = 'shellArgs' in creationOptions ? creationOptions.shellArgs : undefined;
  return Array.isArray(given) && given.slice(-args.length).join('\0') === args.join('\0');
}

/** Identifies a process: after a restart of the machine its number alone may be another program's. */
function identify(pid: number | undefined): ProcessIdentity | undefined {
  return pid === undefined ? undefined : (systemProcesses.identify(pid) ?? undefined);
}

async function findWorkTerminal({ memory }: ExtensionServices): Promise<vscode.Terminal | null> {
  const remembered = memory.get<Partial<ProcessIdentity>>(MEMORY);
  if (remembered?.pid === undefined || identify(remembered.pid)?.startedAt !== remembered.startedAt)
    return null;
  return findTerminal(remembered.pid);
}

/** Opens a terminal whose own process is `claude-queue`, without a shell. */
function openProgram(services: ExtensionServices, name: string, args: readonly string[]): vscode.Terminal {
  const { queueFile, program, settings } = services;
  return vscode.window.createTerminal({
    name,
    shellPath: process.execPath,
    shellArgs: [program, '--queue', queueFile ?? '', ...args],
    env: { ...settings.overrides(), ELECTRON_RUN_AS_NODE: '1' },
    iconPath: new vscode.ThemeIcon('list-ordered'),
  });
}
