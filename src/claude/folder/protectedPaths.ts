import { relative, sep } from 'node:path';
import { resolveLinks } from '../../platform/files/paths';

/**
 * The rules that keep a run in this folder from editing these files, and what is in these folders, under the names that were
 * given and those that they really have, or would have once they are there.
 */
export function refuseEdits(workingDir: string, paths: readonly string[]): string[] {
  const names = findNames(paths);
  const folders = findNames([workingDir]);
  const isHeld = names.some((name) => folders.some((folder) => isWithheldBelow(folder, name)));
  return [...names.flatMap(denyEdits), ...(isHeld ? [NO_RENAMING] : [])];
}

/**
 * A folder that holds a protected one could be renamed, edited inside, and renamed back: a rule for that folder would refuse
 * every edit in it. Measured with 2.0.20, 2.1.90 and 2.1.329: with this, nothing that Claude may do by itself renames a folder,
 * or fills one from another (`cp -r` asks).
 */
const NO_RENAMING = 'Bash(mv:*)';

/** Whether a folder that is in the other one holds it. */
function isWithheldBelow(folder: string, name: string): boolean {
  const way = relative(folder, name);
  return way.includes(sep) && !way.startsWith(`..${sep}`);
}

/**
 * The rules that refuse edits of a file, or below a folder. Measured with 2.1.329: `Edit(//…)` refuses Write, Edit and the shell's
 * usual ways to write (redirections, touch, cp, sed -i), under bypassPermissions too. `Write(//…)` refuses nothing.
 * Characters with a meaning in a pattern are not always taken with a backslash before them, nor is a space at its end, but
 * `?` stands for any of them. It cannot see what a program such as python writes, nor, in the shell, a path that itself looks like a pattern
 * (`[`, `{`, `*`, `?`): approval is what keeps such a run from starting.
 */
function denyEdits(path: string): string[] {
  const pattern = `/${path.replace(/[\\*?[\]{}!(),]|\s$/g, '?')}`;
  return [`Edit(${pattern})`, `Edit(${pattern}/**)`];
}

function findNames(paths: readonly string[]): string[] {
  return [...new Set([...paths, ...paths.map(resolveLinks)])];
}
