import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../domain/epoch';
import { makePrivateFolder, syncFolder } from '../../platform/files';
import { WINDOWS_FOLDER } from './windowMarkers';

/**
 * Moves logs, outputs and journal into a folder of their own and gives its path. The journal goes last: cut off by a
 * crash, the history is still in force. What editor windows have open stays: they are still there.
 */
export async function putAway(stateFolder: string, now: EpochMs): Promise<string> {
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);
  const archive = path.join(stateFolder, 'archive', `${stamp}-${randomUUID().slice(0, 8)}`);
  await makePrivateFolder(archive);
  const names = (await fs.readdir(stateFolder)).filter(
    (name) => !name.startsWith('queue.lock') && name !== 'archive' && name !== WINDOWS_FOLDER,
  );
  const journalLast = [
    ...names.filter((name) => name !== 'journal'),
    ...names.filter((name) => name === 'journal'),
  ];
  for (const name of journalLast) await fs.rename(path.join(stateFolder, name), path.join(archive, name));
  await syncFolder(archive);
  await syncFolder(stateFolder);
  return archive;
}
