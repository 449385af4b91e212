import * as vscode from 'vscode';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { TaskId } from '../../domain/task/task';
import { systemProcesses } from '../../platform/processes/processes';
import type { ExtensionServices } from '../state/extensionServices';
import { findTerminal } from './findTerminal';
import { t } from '../../platform/text/translate';

/** Returns the key under which the process of the worker's terminal is remembered, across reloads of the window. */
function memoryOf({ redis }: ExtensionServices): string {
  return redis === null ? 'workTerminal' : `workTerminal ${redis.address}`;
}

/** Shows the worker: its existing terminal, also after a reload, or a new one. */
export async function showWork(services: ExtensionServices): Promise<void> {
  const terminal =
    (await findWorkTerminal(services)) ?? (await openProgram(services, 'Claude Queue', ['attach']));
  terminal.show(true);
  await services.memory.update(memoryOf(services), identify(await terminal.processId));
}

/** Shows the latest output of a task, live while it runs; closes terminals with older output. */
export async function showTaskOutput(services: ExtensionServices, id: TaskId): Promise<void> {
  const args = ['attach', String(id), '--stay'];
  const older = vscode.window.terminals.filter((terminal) =>
    shows(terminal, [...placeOf(services), ...args]),
  );
  (await openProgram(services, t('Output of task {0}', id), args)).show(true);
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

async function findWorkTerminal(services: ExtensionServices): Promise<vscode.Terminal | null> {
  const remembered = services.memory.get<Partial<ProcessIdentity>>(memoryOf(services));
  if (remembered?.pid === undefined || identify(remembered.pid)?.startedAt !== remembered.startedAt)
    return null;
  return findTerminal(remembered.pid);
}

/** Opens a terminal whose own process is `claude-queue`, without a shell. */
async function openProgram(
  services: ExtensionServices,
  name: string,
  args: readonly string[],
): Promise<vscode.Terminal> {
  const { redis, program, settings, folder } = services;
  const secrets = (await redis?.environment()) ?? {};
  return vscode.window.createTerminal({
    name,
    shellPath: process.execPath,
    // With several folders, VS Code adds the name of this one.
    cwd: folder,
    shellArgs: [program, ...placeOf(services), ...args],
    env: { ...settings.overrides(), ...secrets, ELECTRON_RUN_AS_NODE: '1' },
    // VS Code keeps the environment of other terminals on the disk, for a restart.
    isTransient: Object.keys(secrets).length > 0,
    iconPath: new vscode.ThemeIcon('list-ordered'),
  });
}

/** Returns the options that name the queue. */
function placeOf({ queueFile, redis }: ExtensionServices): readonly string[] {
  return redis === null ? ['--queue', queueFile ?? ''] : ['--redis', redis.address];
}
