import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../domain/epoch';
import { hasCode, makePrivateFolder, syncFolder } from '../../platform/files';
import type { FileHistory } from './fileHistory';
import { isJournalName } from './generations';
import { ARCHIVE_FOLDER, OUTPUTS_FOLDER } from './retention';
import { GIT_IGNORE } from './stateFolder';
import { WINDOWS_FOLDER } from './windowMarkers';

/**
 * Moves logs, outputs and journal into a folder of their own and gives its path; null when another was faster. The
 * journal goes last: cut off by a crash, the history is still in force. What editor windows have open stays: they are
 * still there. So do the outputs that the next history tells of.
 */
export async function putAway(
  stateFolder: string,
  history: FileHistory,
  now: EpochMs,
): Promise<string | null> {
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);
  const archive = path.join(stateFolder, ARCHIVE_FOLDER, `${stamp}-${randomUUID().slice(0, 8)}`);
  const outputs = path.join(archive, OUTPUTS_FOLDER);
  await makePrivateFolder(outputs);
  const told = new Set(history.outputsThatStay());
  await move(path.join(stateFolder, OUTPUTS_FOLDER), outputs, (name) => told.has(name));
  await move(stateFolder, archive, staysBehind);
  return (await history.beginAnew(archive)) ? archive : null;
}

function staysBehind(name: string): boolean {
  const kept = [ARCHIVE_FOLDER, WINDOWS_FOLDER, OUTPUTS_FOLDER, GIT_IGNORE];
  return name.startsWith('queue.lock') || kept.includes(name) || isJournalName(name);
}

async function move(from: string, to: string, stays: (name: string) => boolean): Promise<void> {
  for (const name of await namesIn(from)) {
    if (!stays(name)) await fs.rename(path.join(from, name), path.join(to, name));
  }
  await syncFolder(to);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
