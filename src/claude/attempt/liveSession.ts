import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../platform/files/files';
import type { Processes } from '../../platform/processes/processes';
import { asNumber, asText, parseObject } from '../stream/json';
import { findConfigFolder } from './session';

/**
 * The process of a Claude Code that has the session open, wherever the user started it and however they chose the
 * session; null where none is known. Two that continue in one session would each not see what the other does. Claude Code
 * keeps a file for each of its processes and names the session in it, measured with 2.1.90 and 2.1.329; versions that keep none,
 * and processes on another machine or in another container, cannot be told.
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

/** A file may outlive its process, and the number may be another's by now. */
function isThatProcess(
  pid: number,
  startedAt: string | undefined,
  processes: Pick<Processes, 'identify' | 'isAlive'>,
): boolean {
  const identity = processes.identify(pid);
  if (identity === null || !processes.isAlive(identity)) return false;
  // Linux counts its start in ticks since the machine's own, here and there; other systems have their own words for it,
  // and older versions tell none.
  const isCounted = startedAt !== undefined && /^\d+$/.test(startedAt) && identity.startedAt.includes('/');
  return !isCounted || identity.startedAt.endsWith(`/${startedAt}`);
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    // It keeps none there, or somebody else's.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

async function readWhole(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // It ended while it was looked at, or is somebody else's.
    if (hasCode(error, 'ENOENT', 'EACCES')) return '';
    throw error;
  }
}
