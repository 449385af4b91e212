import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
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

const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/**
 * Tells this machine from others that share a folder with it. Containers have no id of their own but a host
 * name; a process id means nothing on another machine. On macOS the host name is no part of it: there it changes with
 * the network, and its own claims would look like another machine's.
 */
export function machineId(platform = process.platform, ioreg = 'ioreg'): string {
  const mac = platform === 'darwin' ? (macIds.get(ioreg) ?? readMacId(ioreg)) : '';
  if (mac !== '') return mac;
  for (const file of MACHINE_ID_FILES) {
    const id = readIdFile(file);
    if (id !== '') return `${os.hostname()}/${id.slice(0, 12)}`;
  }
  return os.hostname();
}

/** It stays the same, and a program is asked for it. */
const macIds = new Map<string, string>();

/** The hardware's own id; empty where it is not told. */
function readMacId(ioreg: string): string {
  let id = '';
  try {
    const told = execFileSync(ioreg, ['-rd1', '-c', 'IOPlatformExpertDevice'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    id = /"IOPlatformUUID" = "([0-9A-F-]+)"/.exec(told)?.[1] ?? '';
  } catch {
    // Without the program, or without an answer, the host name has to do.
  }
  macIds.set(ioreg, id);
  return id;
}

function readIdFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) return '';
    throw error;
  }
}
