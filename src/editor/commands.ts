import * as vscode from 'vscode';
import { COMMANDS, commandId, type CommandName } from './commandIds';
import type { Desk } from './state/extensionServices';
import { showFailure } from './status/failures';

/** What a command does; `target` is what it was called on: a row of the tree, a task's id, a line, or nothing. */
type Handler = (desk: Desk, target: unknown) => Promise<void>;

/** Each handler is loaded when it is first called. */
const HANDLERS: Readonly<Record<CommandName, Handler>> = {
  createQueue: async (desk) => (await import('./commands/queue/createQueue')).createQueue(desk),
  addTask: async (desk) => (await import('./commands/tasks/addTask')).addTask(desk),
  start: async (desk) => (await import('./commands/start/start')).start(desk),
  stop: async (desk) => (await import('./commands/start/control')).stop(desk),
  hold: async (desk) => (await import('./commands/start/control')).hold(desk),
  resume: async (desk) => (await import('./commands/start/control')).resume(desk),
  signIn: async (desk) => (await import('./commands/start/account')).signIn(desk),
  tryNow: async (desk) => (await import('./commands/start/account')).tryNow(desk),
  approve: async (desk, target) => (await import('./commands/tasks/approve')).approve(desk, target),
  runNextTask: async (desk) => (await import('./commands/start/runTask')).runNextTask(desk),
  runTask: async (desk, target) => (await import('./commands/start/runTask')).runTask(desk, target),
  runTaskInteractively: async (desk, target) =>
    (await import('./commands/start/runInteractively')).runInteractively(desk, target),
  generateNextTask: async (desk) => (await import('./commands/tasks/nextTask')).generateNextTask(desk),
  markDone: async (desk, target) =>
    (await import('./commands/tasks/nextTask')).handTaskBack(desk, target, 'success'),
  markFailed: async (desk, target) =>
    (await import('./commands/tasks/nextTask')).handTaskBack(desk, target, 'error'),
  giveBack: async (desk, target) =>
    (await import('./commands/tasks/nextTask')).handTaskBack(desk, target, null),
  retry: async (desk, target) => (await import('./commands/tasks/decide')).decide(desk, target, 'retry'),
  answer: async (desk, target) => (await import('./commands/tasks/answer')).answer(desk, target),
  accept: async (desk, target) => (await import('./commands/tasks/decide')).decide(desk, target, 'accept'),
  allowTools: async (desk, target) =>
    (await import('./commands/tasks/allowTools')).allowRefused(desk, target),
  cancel: async (desk, target) => (await import('./commands/tasks/decide')).decide(desk, target, 'cancel'),
  showOutput: async (desk, target) => (await import('./commands/tasks/showOutput')).showOutput(desk, target),
  showWork: async (desk) => (await import('./terminals/terminals')).showWork(desk),
  openQueueFile: async (desk) => (await import('./commands/tasks/showRow')).openQueueFile(desk),
  showRow: async (desk, target) => (await import('./commands/tasks/showRow')).showRow(desk, target),
  rehearse: async (desk) => (await import('./commands/start/rehearse')).rehearseTonight(desk),
  checkMachine: async (desk) => (await import('./commands/start/checkMachine')).checkThisMachine(desk),
  adoptHistory: async (desk) => (await import('./commands/queue/adoptHistory')).adoptHistory(desk),
  resetHistory: async (desk) => (await import('./commands/queue/resetHistory')).resetHistory(desk),
  showLog: (desk) => {
    desk.log.show();
    return Promise.resolve();
  },
};

/** What may be done in an untrusted workspace, where nothing runs and nothing is written. */
const READS_ONLY: readonly CommandName[] = ['openQueueFile', 'showRow', 'showLog'];

/** Menus hide what may not be done; whoever calls a command by its id gets here. @throws Problem `untrusted` */
async function requireTrust(): Promise<void> {
  if (vscode.workspace.isTrusted) return;
  const { Problem } = await import('../domain/problem');
  throw new Problem('untrusted', 'This workspace is not trusted: its queue can be read, but nothing runs.');
}

/** Registers every command of the manifest. */
export function registerCommands(desk: Desk): vscode.Disposable {
  return vscode.Disposable.from(
    ...COMMANDS.map((name) =>
      vscode.commands.registerCommand(commandId(name), async (target: unknown) => {
        desk.log.info(`Command ${name}`);
        try {
          if (!READS_ONLY.includes(name)) await requireTrust();
          await HANDLERS[name](desk, target);
        } catch (error) {
          await showFailure(desk, name, error);
        }
      }),
    ),
  );
}
