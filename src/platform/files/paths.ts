import { realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { hasCode } from './files';

type Environment = Readonly<Record<string, string | undefined>>;

const FOLDER = 'claude-queue';

/** The user's home, as the environment or the system tells it. */
export function homeFolder(env: Environment): string {
  const home = env['HOME'] ?? '';
  return path.isAbsolute(home) ? home : os.userInfo().homedir;
}

/** Where the program keeps what belongs to this person on this machine: gates and approvals. */
export function userStateFolder(env: Environment, platform = process.platform): string {
  const xdg = env['XDG_STATE_HOME'];
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, FOLDER);
  return platform === 'darwin'
    ? path.join(homeFolder(env), 'Library', 'Application Support', FOLDER)
    : path.join(homeFolder(env), '.local', 'state', FOLDER);
}

/** The person's own settings file. */
export function userConfigFile(env: Environment, platform = process.platform): string {
  const xdg = env['XDG_CONFIG_HOME'];
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, FOLDER, 'config.yaml');
  return platform === 'darwin'
    ? path.join(homeFolder(env), 'Library', 'Application Support', FOLDER, 'config.yaml')
    : path.join(homeFolder(env), '.config', FOLDER, 'config.yaml');
}

/** The file that a path means, through links, so that a rename replaces the file and not a link to it. */
export async function resolveFile(file: string): Promise<string> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return file;
    throw error;
  }
}

/** Where a folder leads when links are followed; the path itself where that cannot be seen. */
export function realFolder(folder: string): string {
  if (isWithoutLinks(folder)) return folder;
  try {
    return resolveLinks(folder);
  } catch {
    // Whatever hinders the look (a loop, a closed folder, a dead drive): what is compared with this later differs once
    // the look succeeds.
    return folder;
  }
}

/** Asked of the system at once, which is several times faster than to look at each part of a path. */
function isWithoutLinks(folder: string): boolean {
  try {
    return realpathSync.native(folder) === folder;
  } catch {
    return false;
  }
}

/** A path without links; of a file that is not there yet, without the links in what is there of its path. */
export function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const folder = path.dirname(file);
    if (!hasCode(error, 'ENOENT', 'ENOTDIR') || folder === file) throw error;
    return path.join(resolveLinks(folder), path.basename(file));
  }
}
