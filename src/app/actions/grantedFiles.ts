import { stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { hasCode } from '../../platform/files/files';
import { resolveLinks } from '../../platform/files/paths';

/**
 * Why a rule for a file would help nothing, or let more through than that file; null: it is as narrow as it looks.
 * Measured with 2.1.329: a rule for a path holds for everything below it once that is a folder.
 */
export async function judgeFileRule(rule: string, protectedPaths: readonly string[]): Promise<string | null> {
  const [, tool, path] = /^(Edit|Read)\(\/(\/[^]*)\)$/.exec(rule) ?? [];
  if (path === undefined) return null;
  if (tool === 'Edit' && isProtected(path, protectedPaths)) {
    return 'no attempt may edit its queue folder, your approvals or your settings, whatever the rules say';
  }
  const kind = await look(path);
  if (kind === 'folder') return 'it is a folder, and its rule would allow everything in it';
  if (kind === 'file') return null;
  if (tool === 'Read') return 'it does not exist';
  // With the folder the file would be made, and with the same rule everything else below that name.
  return (await look(dirname(path))) === 'folder' ? null : 'its folder does not exist';
}

function isProtected(path: string, protectedPaths: readonly string[]): boolean {
  const [names, walls] = [namesOf(path), protectedPaths.flatMap(namesOf)];
  return names.some((name) => walls.some((wall) => isAtOrBelow(name, wall)));
}

function namesOf(path: string): string[] {
  try {
    return [path, resolveLinks(path)];
  } catch (error) {
    // Where it leads cannot be seen: its own name remains.
    if (hasCode(error, 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return [path];
    throw error;
  }
}

function isAtOrBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** `file`: whatever is no folder; null: nothing that can be seen. */
async function look(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return null;
    throw error;
  }
}
