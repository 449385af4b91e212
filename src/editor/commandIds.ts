/** Every command of the manifest, without its prefix. */
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
  'approveSelected',
  'acceptSelected',
  'retrySelected',
  'cancelSelected',
  'showChanges',
  'showOutput',
  'showWork',
  'openQueueFile',
  'showRow',
  'showActions',
  'rehearse',
  'checkMachine',
  'adoptHistory',
  'resetHistory',
  'setRedisPassword',
  'showLog',
] as const;
export type CommandName = (typeof COMMANDS)[number];

/** Returns the command's id in the editor. */
export function commandId(name: CommandName): string {
  return `claudeQueue.${name}`;
}
