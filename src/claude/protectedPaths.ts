import { realpath } from 'node:fs/promises';
import { hasCode } from '../platform/files';

/** Paths that no run may edit, under the names that were given and those that they really have. */
export async function findNames(paths: readonly string[]): Promise<string[]> {
  return [...new Set([...paths, ...(await Promise.all(paths.map(realPathOf)))])];
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Not there yet, or never: the name is protected all the same.
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return path;
    throw error;
  }
}
