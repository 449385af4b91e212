import { relative, sep } from 'node:path';
import { resolveLinks } from '../../platform/files/paths';

/**
 * Returns the rules that keep an attempt in this folder from editing these files and the contents of these
 * folders. They name each path as given and with links resolved, also if it does not exist yet.
 */
export function refuseEdits(folder: string, paths: readonly string[]): string[] {
  const names = findNames(paths);
  const folders = findNames([folder]);
  const isHeld = names.some((name) => folders.some((each) => isWithheldBelow(each, name)));
  return [...names.flatMap(denyEdits), ...(isHeld ? [NO_RENAMING] : [])];
}

/**
 * Rule against renaming. A folder that holds a protected one could be renamed, edited inside, and renamed back.
 * A rule for that folder would refuse every edit in it. Measured with 2.0.20, 2.1.90 and 2.1.329: with this
 * rule, nothing that Claude may do without asking renames a folder, or fills one from another (`cp -r` asks).
 */
const NO_RENAMING = 'Bash(mv:*)';

/** Whether a subfolder of `folder` holds `name`. */
function isWithheldBelow(folder: string, name: string): boolean {
  const way = relative(folder, name);
  return way.includes(sep) && !way.startsWith(`..${sep}`);
}

/**
 * Returns the rules that refuse edits of a file, or below a folder.
 *
 * Measured with 2.1.329: `Edit(//…)` refuses Write, Edit and the shell's usual ways to write (redirections,
 * touch, cp, sed -i), under bypassPermissions too. `Write(//…)` refuses nothing. Special characters of a
 * pattern do not always work with a backslash before them, nor does a space at its end. `?` matches any of
 * them.
 *
 * The rules do not see what a program such as python writes. In the shell, they do not see a path that itself
 * looks like a pattern (`[`, `{`, `*`, `?`). Approval is what keeps such an attempt from starting.
 */
function denyEdits(path: string): string[] {
  const pattern = `/${path.replace(/[\\*?[\]{}!(),]|\s$/g, '?')}`;
  return [`Edit(${pattern})`, `Edit(${pattern}/**)`];
}

function findNames(paths: readonly string[]): string[] {
  return [...new Set([...paths, ...paths.map(resolveLinks)])];
}
