import * as path from 'node:path';

/** Set by Claude Code for its children, and by editors: what sees them takes itself for part of another program. */
const FOREIGN: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'ELECTRON_RUN_AS_NODE',
];

/** The variables that tell of the program from which this one was started, whether or not they are set. */
export function listForeign(own: NodeJS.ProcessEnv): string[] {
  return [...FOREIGN, ...Object.keys(own).filter((name) => name.startsWith('VSCODE_'))];
}

/** An environment without what is listed. */
export function without(own: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const unwanted = new Set(names);
  return Object.fromEntries(Object.entries(own).filter(([name]) => !unwanted.has(name)));
}

/** The folders of a `PATH` that are the same wherever one is; the others lie in the folder that one is in. */
export function listFixedFolders({ PATH = '' }: NodeJS.ProcessEnv): string[] {
  return PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
