import * as path from 'node:path';

/**
 * Variables that Claude Code sets for its children, and editors for theirs. A program that sees them takes itself for
 * part of another one.
 */
const FOREIGN: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'ELECTRON_RUN_AS_NODE',
];

/** Variable with the address of a queue in Redis, for programs that are given no queue. */
export const REDIS_ADDRESS = 'CLAUDE_QUEUE_REDIS';

/** Variables with the password of Redis, or its file. With it, a program could change the queue. */
export const REDIS_PASSWORD = 'CLAUDE_QUEUE_REDIS_PASSWORD';
export const REDIS_PASSWORD_FILE = 'CLAUDE_QUEUE_REDIS_PASSWORD_FILE';
/** Variable with the file of the certificates to trust instead of the system's. */
export const REDIS_CA_FILE = 'CLAUDE_QUEUE_REDIS_CA_FILE';

/** Variables with the secret of callbacks, and with an address that for many services is one. */
export const CALLBACK_SECRETS: readonly string[] = [
  'CLAUDE_QUEUE_CALLBACK_SECRET',
  'CLAUDE_QUEUE_CALLBACK_URL',
];

/**
 * Returns the variables that no program gets that this one starts, whether or not they are set: those that reveal which
 * program started this one, and those with a secret.
 */
export function listForeign(own: NodeJS.ProcessEnv): string[] {
  return [
    ...FOREIGN,
    REDIS_PASSWORD,
    REDIS_PASSWORD_FILE,
    ...CALLBACK_SECRETS,
    ...Object.keys(own).filter((name) => name.startsWith('VSCODE_')),
  ];
}

/** Returns an environment without these variables. */
export function without(own: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const unwanted = new Set(names);
  return Object.fromEntries(Object.entries(own).filter(([name]) => !unwanted.has(name)));
}

/** Returns the absolute folders of a `PATH`. The others depend on the current folder. */
export function listFixedFolders({ PATH = '' }: NodeJS.ProcessEnv): string[] {
  return PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
