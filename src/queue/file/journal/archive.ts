import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { listNames, makePrivateFolder, syncFolder } from '../../../platform/files/files';
import type { FileHistory } from './fileHistory';
import { isJournalName } from './generations';
import { ARCHIVE_FOLDER, OUTPUTS_FOLDER } from './retention';
import { GIT_IGNORE, LOCK } from '../stateFolder';
import { WINDOWS_FOLDER } from '../editors/windowMarkers';

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
  const archive = nameArchive(stateFolder, now);
  const outputs = path.join(archive, OUTPUTS_FOLDER);
  await makePrivateFolder(outputs);
  const reported = new Set(history.outputsThatStay());
  await move(path.join(stateFolder, OUTPUTS_FOLDER), outputs, (name) => reported.has(name));
  await move(stateFolder, archive, staysBehind);
  return (await history.startOver(archive)) ? archive : null;
}

/**
 * Moves everything into a folder of its own, whoever made it, and returns the folder. The journal in force goes last: cut
 * off by a crash, it is still there, and the next call moves the rest.
 */
export async function archiveAll(stateFolder: string, now: EpochMs): Promise<string> {
  const archive = nameArchive(stateFolder, now);
  await makePrivateFolder(archive);
  await move(stateFolder, archive, (name) => staysHere(name) || isJournalName(name));
  const journals = (await listNames(stateFolder)).filter(isJournalName);
  journals.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  for (const name of journals) await move(stateFolder, archive, (other) => other !== name);
  return archive;
}

function nameArchive(stateFolder: string, now: EpochMs): string {
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);
  return path.join(stateFolder, ARCHIVE_FOLDER, `${stamp}-${randomUUID().slice(0, 8)}`);
}

function staysHere(name: string): boolean {
  return name.startsWith(LOCK) || name === ARCHIVE_FOLDER || name === GIT_IGNORE;
}

function staysBehind(name: string): boolean {
  const kept = [ARCHIVE_FOLDER, WINDOWS_FOLDER, OUTPUTS_FOLDER, GIT_IGNORE];
  return name.startsWith(LOCK) || kept.includes(name) || isJournalName(name);
}

async function move(from: string, to: string, stays: (name: string) => boolean): Promise<void> {
  for (const name of await listNames(from)) {
    if (!stays(name)) await fs.rename(path.join(from, name), path.join(to, name));
  }
  await syncFolder(to);
}
