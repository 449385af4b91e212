import * as path from 'node:path';
import { hasCode } from './files';
import { resolveLinks } from './paths';

/**
 * Why nothing may run in this folder; null: it may. `allowed` are absolute folders without links; none: anywhere. A link
 * counts as where it leads.
 */
export function findOutside(folder: string, allowed: readonly string[]): string | null {
  if (allowed.length === 0) return null;
  const real = resolveOrNull(folder);
  if (real !== null && allowed.some((one) => isBelow(real, one))) return null;
  const where = real === null || real === folder ? folder : `${folder} (${real})`;
  return `The working directory ${where} is outside of the allowed folders (setting allowedDirectories). Use a folder in ${allowed.join(', ')}.`;
}

/** Folders as the user writes them, absolute and without links; `~` is their home. */
export function resolveAllowed(folders: readonly string[], home: string): string[] {
  return folders.map((folder) => {
    const whole = path.resolve(/^~(?=\/|$)/.test(folder) ? `${home}${folder.slice(1)}` : folder);
    return resolveOrNull(whole) ?? whole;
  });
}

function isBelow(folder: string, other: string): boolean {
  const way = path.relative(other, folder);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

function resolveOrNull(folder: string): string | null {
  try {
    return resolveLinks(folder);
  } catch (error) {
    // Where it leads cannot be seen, so that nobody can say that it leads inside.
    if (hasCode(error, 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'EINVAL')) return null;
    throw error;
  }
}
