import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files/files';
import { BASIC_COLUMNS } from '../../queue/csv/columns';
import type { QueueContext } from '../context/queueContext';

const HEADER = `${BASIC_COLUMNS.join(',')}\n`;

/** What the program makes beside the queue file is this machine's, and nothing for a repository. */
const IGNORED = 'state/\nNEXT_TASK.md\n.*.tmp\n.*.spare\n';

/** Makes an empty queue file, and keeps what is this machine's out of a repository. @throws Problem `queue-exists` */
export async function makeQueue({ queueFile, queueFolder }: QueueContext): Promise<void> {
  await fs.mkdir(queueFolder, { recursive: true });
  await writeNew(queueFile, HEADER);
  if (path.basename(queueFolder) === 'claude_queue')
    await writeIfAbsent(path.join(queueFolder, '.gitignore'), IGNORED);
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new Problem('queue-exists', `${file} is there already; nothing was changed.`, { cause: error });
  }
}

async function writeIfAbsent(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
