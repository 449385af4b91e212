import { readFileSync } from 'node:fs';
import * as os from 'node:os';
import { hasCode } from '../files/files';
import { t } from '../text/translate';

const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/**
 * Returns an id that distinguishes this machine from others that share a folder with it: a process id is not valid on another
 * machine. Containers have no id of their own but a host name. On macOS the host name is not part of the id: it changes
 * with the network, and the machine's own claims would look like another one's.
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

/** Cache: the id stays the same, and reading it starts a program. */
const macIds = new Map<string, string>();

/** Returns the id of the hardware; empty: it is not available. */
function readMacId(ioreg: string): string {
  let id = '';
  try {
    // Loaded here only: the extension's start does not need it.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    const output = execFileSync(ioreg, ['-rd1', '-c', 'IOPlatformExpertDevice'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    id = /"IOPlatformUUID" = "([0-9A-F-]+)"/.exec(output)?.[1] ?? '';
  } catch {
    // Without the program, or without an answer, the host name is used.
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

/** Whether an id is that of another machine than this one. */
export function isElsewhere(id: string): boolean {
  return id !== machineId();
}

/** Returns a machine's name for people: its host name, or its id where that has none. */
export function nameMachine(id: string): string {
  return id.replace(/\/.*/s, '');
}

/** Returns the name of the user's account. A container may have none for the user's number. */
export function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return t('user {0}', process.getuid?.() ?? '');
  }
}
