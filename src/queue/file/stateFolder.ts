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
import { t } from '../../platform/text/translate';
import { STATE_NAMES, type StatePaths } from '../queuePaths';
import { isJournalName } from './journal/generations';

/**
 * Makes the state folder, or a folder in it. Synchronous, because an editor's marker must be there before anything
 * else happens.
 */
export function makeStateFolder(state: StatePaths, folder = state.folder): void {
  for (const each of [state.folder, folder]) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linked(each);
  }
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  keepGitOut(state.of('gitIgnore'));
}

/**
 * Adds a `.gitignore`, no matter who made the folder: an earlier program, a crash or the user. A file that its owner
 * wrote there stays.
 */
function keepGitOut(file: string): void {
  try {
    writeFileSync(file, '*\n', { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/**
 * Refuses a state folder with entries that this program does not make. Following a link that came with a repository,
 * the program would append prompts and answers to any file. Another user's files could be read by that user; a named
 * pipe would block every reader.
 * Outputs are many, so they are checked when they are written.
 */
export async function refuseUnsafe({ folder }: StatePaths): Promise<void> {
  const names = await refuseUnsafeEntry(folder, 'folder');
  for (const name of names) await refuseBelow(path.join(folder, name), kindOf(name));
}

/** Required type of an entry; absent: a file or a folder. */
type Kind = 'file' | 'folder';

const FOLDERS: readonly string[] = [STATE_NAMES.archive, STATE_NAMES.outputs, STATE_NAMES.windows];

/** Returns the required type of the entry with this name in a state folder. */
function kindOf(name: string): Kind | undefined {
  if (FOLDERS.includes(name)) return 'folder';
  return isJournalName(name) ? 'file' : undefined;
}

async function refuseBelow(entry: string, kind?: Kind): Promise<void> {
  const names = await refuseUnsafeEntry(entry, kind);
  if (path.basename(entry) === STATE_NAMES.outputs) return;
  for (const name of names) await refuseBelow(path.join(entry, name));
}

/** Checks an entry. Returns the names in it if it is a folder, else none. */
async function refuseUnsafeEntry(entry: string, kind?: Kind): Promise<readonly string[]> {
  try {
    const stat = await fs.lstat(entry);
    if (stat.isSymbolicLink()) throw linked(entry);
    if (isOfOtherUser(stat)) throw ofOtherUser(entry, stat.uid);
    if (kind === 'folder' && !stat.isDirectory()) throw notAFolder(entry);
    if (stat.isDirectory() && kind !== 'file') return await fs.readdir(entry);
    if (!stat.isFile()) throw notAFile(entry, stat);
    // An interrupted reset leaves a journal that is hard-linked in the archive.
    if (!isJournalName(path.basename(entry))) refuseHardLink(entry, stat);
    return [];
  } catch (error) {
    // This program makes no folders that deep.
    if (hasCode(error, 'ENAMETOOLONG')) throw tooDeep(entry);
    // The entry does not exist yet, or was just removed. If it is unreadable, the reader reports that.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    return [];
  }
}

function notAFolder(entry: string): Problem {
  return new Problem('state-damaged', t('{0} is not a folder. Move it away, then try again.', entry));
}

function tooDeep(entry: string): Problem {
  const shown = `${entry.slice(0, 200)}…`;
  return new Problem(
    'state-damaged',
    t('{0} has folders in folders, which this program does not make. Move them away, then try again.', shown),
  );
}

function linked(link: string): Problem {
  return new Problem(
    'state-linked',
    t(
      '{0} is a symbolic link. The program writes only in that folder. Check where it came from, and remove it.',
      link,
    ),
  );
}

function ofOtherUser(entry: string, uid: number): Problem {
  return new Problem(
    'state-of-other-user',
    t(
      '{0} belongs to another user (uid {1}), who could read prompts and answers. ' +
        'Nothing is read or written there. Take ownership with chown, or move it away.',
      entry,
      uid,
    ),
  );
}
