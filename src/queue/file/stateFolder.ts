import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import {
  hasCode,
  isOfOtherUser,
  notAFile,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  refuseHardLink,
} from '../../platform/files/files';
import { STATE_NAMES, type StatePaths } from '../queuePaths';
import { isJournalName } from './journal/generations';

/**
 * Makes the state folder, or a folder in it. Synchronous: an editor's mark must be there before anything else happens.
 * @throws Problem `state-linked`
 */
export function makeStateFolder(state: StatePaths, folder = state.folder): void {
  for (const each of [state.folder, folder]) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linked(each);
  }
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  keepGitOut(state.of('gitIgnore'));
}

/** Whatever made the folder: an earlier program, a crash, somebody's hand. What its owner has written there stays. */
function keepGitOut(file: string): void {
  try {
    writeFileSync(file, '*\n', { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/**
 * Refuses a folder that this program did not make like this. A link that came with a repository would have it append
 * prompts and answers to whatever file the link names; another user could read them; a named pipe would stop anyone who
 * opens it. Outputs are many: anyone who writes one looks at it.
 * @throws Problem `state-linked`, `state-of-other-user`, `state-damaged`, `not-a-file`
 */
export async function refuseUnsafe({ folder }: StatePaths): Promise<void> {
  const names = await refuseUnsafeEntry(folder, 'folder');
  for (const name of names) await refuseBelow(path.join(folder, name), kindOf(name));
}

/** What an entry must be; absent: a file or a folder. */
type Kind = 'file' | 'folder';

const FOLDERS: readonly string[] = [STATE_NAMES.archive, STATE_NAMES.outputs, STATE_NAMES.windows];

/** What the entry of this name in a state folder must be. */
function kindOf(name: string): Kind | undefined {
  if (FOLDERS.includes(name)) return 'folder';
  return isJournalName(name) ? 'file' : undefined;
}

async function refuseBelow(entry: string, kind?: Kind): Promise<void> {
  const names = await refuseUnsafeEntry(entry, kind);
  if (path.basename(entry) === STATE_NAMES.outputs) return;
  for (const name of names) await refuseBelow(path.join(entry, name));
}

/** The names in it. */
async function refuseUnsafeEntry(entry: string, kind?: Kind): Promise<readonly string[]> {
  try {
    const stat = await fs.lstat(entry);
    if (stat.isSymbolicLink()) throw linked(entry);
    if (isOfOtherUser(stat)) throw ofOtherUser(entry, stat.uid);
    if (kind === 'folder' && !stat.isDirectory()) throw notAFolder(entry);
    if (stat.isDirectory() && kind !== 'file') return await fs.readdir(entry);
    if (!stat.isFile()) throw notAFile(entry, stat);
    // A reset that was cut off leaves a journal that is in the archive too.
    if (!isJournalName(path.basename(entry))) refuseHardLink(entry, stat);
    return [];
  } catch (error) {
    // This program nests nothing so deeply.
    if (hasCode(error, 'ENAMETOOLONG')) throw tooDeep(entry);
    // Nothing was kept yet, or it went just now; what cannot be looked at is told by anyone who reads it.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    return [];
  }
}

function notAFolder(entry: string): Problem {
  return new Problem('state-damaged', `${entry} is not a folder. Move it away, then try again.`);
}

function tooDeep(entry: string): Problem {
  const shown = `${entry.slice(0, 200)}…`;
  return new Problem(
    'state-damaged',
    `${shown} has folders in folders, which this program does not make. Move them away, then try again.`,
  );
}

function linked(link: string): Problem {
  return new Problem(
    'state-linked',
    `${link} is a symbolic link. The program writes only in that folder. Check where it came from, and remove it.`,
  );
}

function ofOtherUser(entry: string, uid: number): Problem {
  return new Problem(
    'state-of-other-user',
    `${entry} belongs to another user (uid ${String(uid)}), who could read prompts and answers. ` +
      'Nothing is read or written there. Take ownership with chown, or move it away.',
  );
}
