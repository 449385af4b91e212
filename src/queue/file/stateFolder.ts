import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode, isOfOtherUser, notAFile, PRIVATE_FILE, PRIVATE_FOLDER } from '../../platform/files';
import { OUTPUTS_FOLDER } from './retention';

/** By this git takes nothing of the folder up: prompts, output and history are this machine's. */
export const GIT_IGNORE = '.gitignore';

/** Name of the lock on a queue's steps; what stands beside it begins with the same name. */
export const LOCK = 'step.lock';

/** Its name in earlier versions, as long as a worker of one runs. */
export const EARLIER_LOCK = 'queue.lock';

/**
 * Makes the folder beside a queue file in which the program keeps what it knows, or the one of this name in it, and gives
 * its path. At once: an editor's mark must stand there before anything else happens.
 * @throws Problem `state-linked`
 */
export function makeStateFolder(stateFolder: string, name = ''): string {
  const folder = path.join(stateFolder, name);
  for (const each of [stateFolder, folder]) {
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linked(each);
  }
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  keepGitOut(path.join(stateFolder, GIT_IGNORE));
  return folder;
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
 * prompts and answers to whatever file the link names; another user could read them; a named pipe would stop whoever
 * opens it. Outputs are many: whoever writes one looks at it.
 * @throws Problem `state-linked`, `state-of-other-user`, `not-a-file`
 */
export async function refuseUnsafe(folder: string): Promise<void> {
  try {
    await refuseUnsafeEntry(folder);
  } catch (error) {
    // Nothing was kept yet, or it went just now; what cannot be looked at is told by whoever reads it.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
  }
}

async function refuseUnsafeEntry(entry: string): Promise<void> {
  const stat = await fs.lstat(entry);
  if (stat.isSymbolicLink()) throw linked(entry);
  if (isOfOtherUser(stat)) throw ofOtherUser(entry, stat.uid);
  if (!stat.isDirectory()) {
    if (!stat.isFile()) throw notAFile(entry, stat);
    return;
  }
  if (path.basename(entry) === OUTPUTS_FOLDER) return;
  for (const name of await fs.readdir(entry)) await refuseUnsafe(path.join(entry, name));
}

function linked(link: string): Problem {
  return new Problem(
    'state-linked',
    `${link} is a symbolic link, and the program writes nowhere but in that folder. Look where it came from, and remove it.`,
  );
}

function ofOtherUser(entry: string, uid: number): Problem {
  return new Problem(
    'state-of-other-user',
    `${entry} belongs to another user (uid ${String(uid)}), who could read prompts and answers. ` +
      'Nothing is read or written there. Make it yours with chown, or move it away.',
  );
}
