import { realpathSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { hasCode } from './files';

type Environment = Readonly<Record<string, string | undefined>>;

const FOLDER = 'claude-queue';

/** Returns the user's home from the environment, else from the system. */
export function homeFolder(env: Environment): string {
  const home = env['HOME'] ?? '';
  return path.isAbsolute(home) ? home : os.userInfo().homedir;
}

/** Returns the folder for this user's data on this machine: gates, approvals, histories and the report token. */
export function userStateFolder(env: Environment, platform = process.platform): string {
  const xdg = env['XDG_STATE_HOME'];
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, FOLDER);
  return platform === 'darwin'
    ? path.join(homeFolder(env), 'Library', 'Application Support', FOLDER)
    : path.join(homeFolder(env), '.local/state', FOLDER);
}

/** Returns the user's own settings file. */
export function userConfigFile(env: Environment, platform = process.platform): string {
  const xdg = env['XDG_CONFIG_HOME'];
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, FOLDER, 'config.yaml');
  return platform === 'darwin'
    ? path.join(homeFolder(env), 'Library', 'Application Support', FOLDER, 'config.yaml')
    : path.join(homeFolder(env), '.config', FOLDER, 'config.yaml');
}

/** Returns the file that a path leads to, so that a rename replaces the file and not a link to it. */
export async function resolveFile(file: string): Promise<string> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return file;
    throw error;
  }
}

/** Returns the path of a folder with links resolved; the path itself where that fails. */
export function realFolder(folder: string): string {
  const parent = path.dirname(folder);
  // The root: most paths to missing folders end there.
  if (parent === folder) return folder;
  try {
    if (isMissing(folder)) return path.join(realFolder(parent), path.basename(folder));
    // One call of the system is faster than a look at each part of the path.
    return realpathSync.native(folder) === folder ? folder : resolveLinks(folder);
  } catch {
    // Any obstacle (a loop, a closed folder, a dead drive): a later comparison differs once the path can be resolved.
    return folder;
  }
}

/** Whether nothing is there. A queue may name thousands of missing folders, and `realpath` throws for each. */
function isMissing(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) return true;
    throw error;
  }
}

/**
 * Returns a path without links. For a file that does not exist yet, links in the existing part of its path are
 * resolved.
 */
export function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const folder = path.dirname(file);
    if (!hasCode(error, 'ENOENT', 'ENOTDIR') || folder === file) throw error;
    return path.join(resolveLinks(folder), path.basename(file));
  }
}

/** Whether a folder is this other one, or in it. Both are absolute and without links. */
export function isBelow(folder: string, other: string): boolean {
  const way = path.relative(other, folder);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
