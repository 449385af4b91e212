import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { EpochMs } from '../../../domain/time/epoch';
import { listNames, makePrivateFolder, syncPath } from '../../../platform/files/files';
import type { FileHistory } from './fileHistory';
import { isJournalName } from './generations';
import { STATE_NAMES, StatePaths } from '../../queuePaths';

/**
 * Moves logs, outputs and journal into an archive folder. Returns its path, or null if another process was faster.
 * The journal goes last: after a crash before that, the history is still current. Markers of editor windows stay,
 * because the windows are still open. Outputs that the next history refers to stay too.
 */
export async function archiveHistory(
  state: StatePaths,
  history: FileHistory,
  now: EpochMs,
): Promise<string | null> {
  const archive = nameArchive(state, now);
  const outputs = new StatePaths(archive).of('outputs');
  await makePrivateFolder(outputs);
  const keptOutputs = new Set(history.outputsThatStay());
  await move(state.of('outputs'), outputs, (name) => keptOutputs.has(name));
  await move(state.folder, archive, staysBehind);
  return (await history.startOver(archive)) ? archive : null;
}

/**
 * Moves everything into an archive folder, no matter which program made it, and returns its path. The newest journal
 * file goes last: after a crash it is still there, and the next call moves the rest.
 */
export async function archiveAll(state: StatePaths, now: EpochMs): Promise<string> {
  const archive = nameArchive(state, now);
  await makePrivateFolder(archive);
  await move(state.folder, archive, (name) => staysHere(name) || isJournalName(name));
  await moveGenerations(state.of('archive'), new StatePaths(archive).of('archive'));
  const journals = (await listNames(state.folder)).filter(isJournalName);
  journals.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  for (const name of journals) await move(state.folder, archive, (other) => other !== name);
  return archive;
}

/** Moves the archived generations of the journal, so that no later history takes them for its own. */
async function moveGenerations(from: string, to: string): Promise<void> {
  if (!(await listNames(from)).some(isJournalName)) return;
  await makePrivateFolder(to);
  await move(from, to, (name) => !isJournalName(name));
}

function nameArchive(state: StatePaths, now: EpochMs): string {
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);
  return path.join(state.of('archive'), `${stamp}-${randomUUID().slice(0, 8)}`);
}

function staysHere(name: string): boolean {
  const { lock, archive, gitIgnore } = STATE_NAMES;
  return name.startsWith(lock) || name === archive || name === gitIgnore;
}

function staysBehind(name: string): boolean {
  const { windows, outputs } = STATE_NAMES;
  return staysHere(name) || name === windows || name === outputs || isJournalName(name);
}

async function move(from: string, to: string, stays: (name: string) => boolean): Promise<void> {
  for (const name of await listNames(from)) {
    if (!stays(name)) await fs.rename(path.join(from, name), path.join(to, name));
  }
  await syncPath(to);
}
