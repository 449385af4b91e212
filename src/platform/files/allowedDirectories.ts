import * as path from 'node:path';
import { isOfSystem } from './files';
import { isBelow, resolveLinks } from './paths';
import { t } from '../text/translate';

/**
 * Returns why nothing may run in this folder, as a message; null: it may. `allowed` are absolute folders without links;
 * empty: all folders are allowed. A link counts as its target.
 */
export function findOutside(folder: string, allowed: readonly string[]): string | null {
  if (allowed.length === 0) return null;
  const real = resolveOrNull(folder);
  if (real !== null && allowed.some((one) => isBelow(real, one))) return null;
  const where = real === null || real === folder ? folder : `${folder} (${real})`;
  return t(
    'The working directory {0} is outside of the allowed folders (setting allowedDirectories). Use a folder in {1}.',
    where,
    allowed.join(', '),
  );
}

/** Returns folders as the user writes them, absolute and without links; `~` is the user's home. */
export function resolveAllowed(folders: readonly string[], home: string): string[] {
  return folders.map((folder) => {
    const whole = expandHome(folder, home);
    return resolveOrNull(whole) ?? whole;
  });
}

/** Returns a folder as the user writes it, absolute; `~` is the user's home. */
export function expandHome(folder: string, home: string): string {
  return path.resolve(/^~(?=\/|$)/.test(folder) ? `${home}${folder.slice(1)}` : folder);
}

function resolveOrNull(folder: string): string | null {
  try {
    return resolveLinks(folder);
  } catch (error) {
    // Its target cannot be read, so it cannot be shown to be inside.
    if (isOfSystem(error)) return null;
    throw error;
  }
}
