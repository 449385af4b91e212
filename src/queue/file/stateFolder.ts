import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode, PRIVATE_FILE, PRIVATE_FOLDER } from '../../platform/files';
import { OUTPUTS_FOLDER } from './retention';

/** By this git takes nothing of the folder up: prompts, output and history are this machine's. */
export const GIT_IGNORE = '.gitignore';

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
 * The program makes no links there. One that came with a repository would have it append prompts and answers to whatever
 * file the link names, a shell's profile for one. Outputs are many: whoever writes one refuses a link by itself.
 * @throws Problem `state-linked`
 */
export async function refuseLinks(folder: string): Promise<void> {
  const link = await findLink(folder);
  if (link !== null) throw linked(link);
}

function linked(link: string): Problem {
  return new Problem(
    'state-linked',
    `${link} is a symbolic link, and the program writes nowhere but in that folder. Look where it came from, and remove it.`,
  );
}

async function findLink(folder: string): Promise<string | null> {
  try {
    if ((await fs.lstat(folder)).isSymbolicLink()) return folder;
    for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      if (entry.isSymbolicLink()) return name;
      const found = entry.isDirectory() && entry.name !== OUTPUTS_FOLDER ? await findLink(name) : null;
      if (found !== null) return found;
    }
    return null;
  } catch (error) {
    // Nothing was kept yet, or it went just now; what cannot be looked at is told by whoever reads it.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}
