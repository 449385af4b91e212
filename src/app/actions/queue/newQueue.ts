import * as fs from 'node:fs/promises';
import { Problem } from '../../../domain/problem';
import { hasCode } from '../../../platform/files/files';
import { BASIC_COLUMNS } from '../../../queue/row/columns';
import { NEXT_TASK, STATE_FOLDER } from '../../../queue/queuePaths';
import type { QueueContext } from '../../context/queueContext';

const HEADER = `${BASIC_COLUMNS.join(',')}\n`;

/** Lines of `.gitignore` for files of this machine only. */
const IGNORED = `${STATE_FOLDER}/\n${NEXT_TASK}\n.*.tmp\n.*.spare\n`;

/** Creates an empty queue file, and a `.gitignore` for the files of this machine. @throws Problem `queue-exists` */
export async function makeQueue({ paths }: QueueContext): Promise<void> {
  await fs.mkdir(paths.folder, { recursive: true });
  await writeNew(paths.file, HEADER);
  if (paths.hasOwnFolder) await writeIfAbsent(paths.gitIgnore, IGNORED);
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new Problem('queue-exists', `${file} already exists; nothing was changed.`, { cause: error });
  }
}

async function writeIfAbsent(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
