import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as os from 'node:os';
import { hasCode } from '../files/files';

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
    const reported = execFileSync(ioreg, ['-rd1', '-c', 'IOPlatformExpertDevice'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    id = /"IOPlatformUUID" = "([0-9A-F-]+)"/.exec(reported)?.[1] ?? '';
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
