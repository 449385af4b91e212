import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../../../platform/files/files';
import { isBelow, resolveLinks } from '../../../platform/files/paths';
import { t } from '../../../platform/text/translate';

/**
 * Returns why a rule for a file is useless or too wide; null if it covers only that file. Measured with Claude Code
 * 2.1.329: once a path is a folder, its rule covers everything below it.
 */
export async function judgeFileRule(rule: string, protectedPaths: readonly string[]): Promise<string | null> {
  const [, tool, path] = /^(Edit|Read)\(\/(\/[^]*)\)$/.exec(rule) ?? [];
  if (path === undefined) return null;
  if (tool === 'Edit' && isProtected(path, protectedPaths)) {
    return t('no attempt may edit its queue folder, your approvals or your settings, whatever the rules say');
  }
  const kind = await look(path);
  if (kind === 'folder') return t('it is a folder, and its rule would allow everything in it');
  if (kind === 'file') return null;
  if (tool === 'Read') return t('it does not exist');
  // A missing folder would be created, and the rule would then cover everything below that name.
  return (await look(dirname(path))) === 'folder' ? null : t('its folder does not exist');
}

function isProtected(path: string, protectedPaths: readonly string[]): boolean {
  const [names, walls] = [namesOf(path), protectedPaths.flatMap(namesOf)];
  return names.some((name) => walls.some((wall) => isBelow(name, wall)));
}

function namesOf(path: string): string[] {
  try {
    return [path, resolveLinks(path)];
  } catch (error) {
    // Its target cannot be resolved, so only its own name counts.
    if (hasCode(error, 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return [path];
    throw error;
  }
}

/** Kind of a path: `file` is anything but a folder; null if it cannot be read. */
async function look(path: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return null;
    throw error;
  }
}
