import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '../../platform/files';

/** By this git takes nothing of the folder up: prompts, output and history are this machine's. */
export const GIT_IGNORE = '.gitignore';

/** Makes the folder beside a queue file in which the program keeps what it knows. */
export async function makeStateFolder(folder: string): Promise<void> {
  await makePrivateFolder(folder);
  await fs.writeFile(path.join(folder, GIT_IGNORE), '*\n', { mode: PRIVATE_FILE });
}
