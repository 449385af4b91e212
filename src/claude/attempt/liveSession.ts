import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../platform/files/files';
import type { Processes } from '../../platform/processes/processes';
import { asNumber, asText, parseObject } from '../stream/json';
import { findConfigFolder } from './session';

/**
 * Returns the ID of the Claude Code process that has the session open; null if none is known.
 *
 * It does not matter where the user started it or how they chose the session. Two processes that continue one
 * session would not see each other's work. Claude Code keeps a file for each of its processes and names the
 * session in it: measured with 2.1.90 and 2.1.329. Not detected are versions that keep none, and processes on
 * another machine or in another container.
 */
export async function findLiveSession(
  session: string,
  environment: NodeJS.ProcessEnv,
  processes: Pick<Processes, 'identify' | 'isAlive'>,
): Promise<number | null> {
  const folder = join(findConfigFolder(environment), 'sessions');
  for (const name of await listFiles(folder)) {
    const json = parseObject(await readWhole(join(folder, name)));
    const pid = asNumber(json?.['pid']);
    if (json?.['sessionId'] !== session || pid === undefined) continue;
    if (isThatProcess(pid, asText(json['procStart']), processes)) return pid;
  }
  return null;
}

/**
 * Whether the process of a file is running. The file may outlive its process, and the process ID may be reused.
 */
function isThatProcess(
  pid: number,
  startedAt: string | undefined,
  processes: Pick<Processes, 'identify' | 'isAlive'>,
): boolean {
  const identity = processes.identify(pid);
  if (identity === null || !processes.isAlive(identity)) return false;
  // On Linux both sides count the start in ticks since boot. Other systems use other formats, and older
  // versions report none.
  const isCounted = startedAt !== undefined && /^\d+$/.test(startedAt) && identity.startedAt.includes('/');
  return !isCounted || identity.startedAt.endsWith(`/${startedAt}`);
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    // The folder does not exist, or belongs to another user.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

async function readWhole(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // The process ended in the meantime, or the file belongs to another user.
    if (hasCode(error, 'ENOENT', 'EACCES')) return '';
    throw error;
  }
}
