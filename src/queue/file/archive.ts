import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../domain/epoch';
import { makePrivateFolder, syncFolder } from '../../platform/files';
import type { FileHistory } from './fileHistory';
import { isJournalName } from './generations';
import { ARCHIVE_FOLDER } from './retention';
import { WINDOWS_FOLDER } from './windowMarkers';

/**
 * Moves logs, outputs and journal into a folder of their own and gives its path; null when another was faster. The
 * journal goes last: cut off by a crash, the history is still in force. What editor windows have open stays: they are
 * still there.
 */
export async function putAway(
  stateFolder: string,
  history: FileHistory,
  now: EpochMs,
): Promise<string | null> {
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);
  const archive = path.join(stateFolder, ARCHIVE_FOLDER, `${stamp}-${randomUUID().slice(0, 8)}`);
  await makePrivateFolder(archive);
  for (const name of await fs.readdir(stateFolder)) {
    const stays = name.startsWith('queue.lock') || name === ARCHIVE_FOLDER || name === WINDOWS_FOLDER;
    if (stays || isJournalName(name)) continue;
    await fs.rename(path.join(stateFolder, name), path.join(archive, name));
  }
  await syncFolder(stateFolder);
  return (await history.beginAnew(archive)) ? archive : null;
}
