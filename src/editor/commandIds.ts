/** Every command of the manifest, without the prefix. */
export const COMMANDS = [
  'createQueue',
  'addTask',
  'start',
  'stop',
  'hold',
  'resume',
  'signIn',
  'tryNow',
  'approve',
  'runNextTask',
  'runTask',
  'runTaskInteractively',
  'generateNextTask',
  'markDone',
  'markFailed',
  'giveBack',
  'retry',
  'answer',
  'accept',
  'allowTools',
  'cancel',
  'showOutput',
  'showWork',
  'openQueueFile',
  'showRow',
  'rehearse',
  'checkMachine',
  'adoptHistory',
  'resetHistory',
  'showLog',
] as const;
export type CommandName = (typeof COMMANDS)[number];

/** The command's id as the editor knows it. */
export function commandId(name: CommandName): string {
  return `claudeQueue.${name}`;
}
