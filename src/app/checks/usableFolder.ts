import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../platform/files/files';
import { firstLine } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';

/** Reason why a folder is not usable. */
export interface Unusable {
  readonly kind: 'missing' | 'no-folder' | 'closed';
  /** Returns a sentence that names the folder so. */
  readonly describe: (name: string) => string;
}

/** Returns why a folder cannot be read and written; null if it can. Writes nothing. */
export async function whyUnusable(folder: string): Promise<Unusable | null> {
  try {
    if (!(await fs.stat(folder)).isDirectory())
      return { kind: 'no-folder', describe: (name) => t('{0} is not a folder.', name) };
    await fs.access(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR'))
      return { kind: 'missing', describe: (name) => t('{0} does not exist.', name) };
    return { kind: 'closed', describe: (name) => describeClosed(name, error) };
  }
}

function describeClosed(name: string, error: unknown): string {
  if (hasCode(error, 'EACCES', 'EPERM')) return t('{0} is not readable and writable for you.', name);
  if (hasCode(error, 'EROFS')) return t('{0} is on a read-only file system.', name);
  return t(
    '{0} cannot be used ({1}).',
    name,
    firstLine(error instanceof Error ? error.message : String(error)),
  );
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
