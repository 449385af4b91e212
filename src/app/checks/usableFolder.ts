import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../platform/files/files';
import { firstLine } from '../../platform/text/plainText';

/** Reason why a folder is not usable. */
export interface Unusable {
  readonly kind: 'missing' | 'no-folder' | 'closed';
  /** Rest of a sentence about the folder. */
  readonly text: string;
}

/** Returns why a folder cannot be read and written; null if it can. Writes nothing. */
export async function whyUnusable(folder: string): Promise<Unusable | null> {
  try {
    if (!(await fs.stat(folder)).isDirectory()) return { kind: 'no-folder', text: 'is not a folder' };
    await fs.access(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return { kind: 'missing', text: 'does not exist' };
    return { kind: 'closed', text: describeClosed(error) };
  }
}

function describeClosed(error: unknown): string {
  if (hasCode(error, 'EACCES', 'EPERM')) return 'is not readable and writable for you';
  if (hasCode(error, 'EROFS')) return 'is on a read-only file system';
  return `cannot be used (${firstLine(error instanceof Error ? error.message : String(error))})`;
}

/** Returns a folder, or the nearest existing one above it, in which it would be created. */
export async function nearestFolder(folder: string): Promise<string> {
  try {
    await fs.stat(folder);
    return folder;
  } catch (error) {
    const above = path.dirname(folder);
    return hasCode(error, 'ENOENT') && above !== folder ? nearestFolder(above) : folder;
  }
}
