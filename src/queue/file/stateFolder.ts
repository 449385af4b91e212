import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode, makePrivateFolder, PRIVATE_FILE } from '../../platform/files';
import { OUTPUTS_FOLDER } from './retention';

/** By this git takes nothing of the folder up: prompts, output and history are this machine's. */
export const GIT_IGNORE = '.gitignore';

/** Makes the folder beside a queue file in which the program keeps what it knows. */
export async function makeStateFolder(folder: string): Promise<void> {
  await makePrivateFolder(folder);
  await fs.writeFile(path.join(folder, GIT_IGNORE), '*\n', { mode: PRIVATE_FILE });
}

/**
 * The program makes no links there. One that came with a repository would have it append prompts and answers to whatever
 * file the link names, a shell's profile for one. Outputs are many: whoever writes one refuses a link by itself.
 * @throws Problem `state-linked`
 */
export async function refuseLinks(folder: string): Promise<void> {
  const link = await findLink(folder);
  if (link === null) return;
  throw new Problem(
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
