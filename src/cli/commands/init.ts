import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Command } from 'commander';
import { Problem } from '../../domain/problem';
import { hasCode } from '../../platform/files';
import { BASIC_COLUMNS } from '../../queue/csv/columns';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';

const HEADER = `${BASIC_COLUMNS.join(',')}\n`;

/** What the program makes beside the queue file is this machine's, and nothing for a repository. */
const IGNORED = 'state/\nNEXT_TASK.md\n.*.tmp\n.*.spare\n';

export function defineInit(program: Command, act: Act): void {
  act(program.command('init').description('make an empty queue file'), init);
}

async function init(context: Context): Promise<number> {
  const { queueFile, queueFolder, system } = context;
  await fs.mkdir(queueFolder, { recursive: true });
  await writeNew(queueFile, HEADER);
  if (path.basename(queueFolder) === 'claude_queue')
    await writeIfAbsent(path.join(queueFolder, '.gitignore'), IGNORED);
  system.out(`Made ${queueFile}.`);
  system.out('Next: claude-queue add "what Claude is to do", then claude-queue work');
  return OK;
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
