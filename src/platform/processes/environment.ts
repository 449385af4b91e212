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

/** Returns the variables that reveal which program started this one, whether or not they are set. */
export function listForeign(own: NodeJS.ProcessEnv): string[] {
  return [...FOREIGN, ...Object.keys(own).filter((name) => name.startsWith('VSCODE_'))];
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
