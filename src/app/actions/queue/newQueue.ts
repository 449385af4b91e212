import * as fs from 'node:fs/promises';
import { Problem } from '../../../domain/problem';
import { hasCode } from '../../../platform/files/files';
import { t } from '../../../platform/text/translate';
import { BASIC_COLUMNS } from '../../../queue/row/columns';
import { NEXT_TASK, STATE_FOLDER } from '../../../queue/queuePaths';
import { usualCells } from '../../../queue/row/usualCells';
import type { TaskFields } from '../../../queue/taskQueue';
import type { QueueContext } from '../../context/queueContext';

const HEADER = `${BASIC_COLUMNS.join(',')}\n`;

/** Lines of `.gitignore` for files of this machine only. */
const IGNORED = `${STATE_FOLDER}/\n${NEXT_TASK}\n.*.tmp\n.*.spare\n`;

/** Prompt of the example: harmless, and soon done. */
export const EXAMPLE_PROMPT = 'Write three ideas for this project to IDEAS.md. Change nothing else.';

const EXAMPLE: TaskFields = {
  ...usualCells({ priorityRules: [] }),
  ...{ id: '1', working_dir: '.', prompt: EXAMPLE_PROMPT },
};

/** Whether a row is the example as it was written. */
export function isExample(textOf: (column: string) => string | undefined): boolean {
  return BASIC_COLUMNS.every((column) => textOf(column) === (EXAMPLE[column] ?? ''));
}

const EXAMPLE_ROW = `${BASIC_COLUMNS.map((column) => EXAMPLE[column] ?? '').join(',')}\n`;

/**
 * Creates a queue file, and a `.gitignore` for the files of this machine. With `example`, a folder that is new gets a row
 * as an example; in another one there may be the history of another program. @throws Problem `queue-exists`
 */
export async function makeQueue(
  { paths }: Pick<QueueContext, 'paths'>,
  { example = false }: { readonly example?: boolean } = {},
): Promise<void> {
  const isNew = (await fs.mkdir(paths.folder, { recursive: true })) !== undefined;
  await writeNew(paths.file, example && isNew ? `${HEADER}${EXAMPLE_ROW}` : HEADER);
  if (paths.hasOwnFolder) await writeIfAbsent(paths.gitIgnore, IGNORED);
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new Problem('queue-exists', t('{0} already exists; nothing was changed.', file), { cause: error });
  }
}

async function writeIfAbsent(file: string, text: string): Promise<void> {
  try {
    await fs.writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
