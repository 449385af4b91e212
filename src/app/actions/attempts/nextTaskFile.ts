import * as fs from 'node:fs/promises';
import type { Place } from '../../../domain/task/place';
import { promptOf, type Definition, type TaskId } from '../../../domain/task/task';
import { readIfThere } from '../../../platform/files/files';
import { commandOf } from '../../../platform/text/commandName';
import { fence } from '../../../platform/text/fence';

/**
 * Text of NEXT_TASK.md: one task for the user to pass to Claude Code. The prompt is verbatim, between fences that are
 * longer than any in it.
 */
export function formatNextTask(definition: Definition, { folder }: Place): string {
  const { id, priority } = definition;
  return [
    `${HEADING}${String(id)}`,
    '',
    `- Priority: ${priority}`,
    `- Working directory: ${folder}`,
    '',
    'Do this task in that directory:',
    '',
    fence(promptOf(definition), 'text'),
    '',
    'When it is finished, the user marks it: Done, Failed or Return to Queue in the editor, or by a command:',
    ...['done', 'fail', 'release'].map((word) => `- \`${commandOf(word)}\``),
    '',
  ].join('\n');
}

const HEADING = '# Next task: ';

/** Returns the id of the task in a NEXT_TASK.md; null if there is none. */
export function readNextTask(text: string): TaskId | null {
  const [first = ''] = text.split(/\r?\n/, 1);
  if (!first.startsWith(HEADING)) return null;
  const id = first.slice(HEADING.length);
  return /^[1-9]\d*$/.test(id) ? Number(id) : null;
}

/** Removes the NEXT_TASK.md at this path if it holds one of these tasks. */
export async function removeNextTask(path: string, ids: readonly TaskId[]): Promise<void> {
  const id = await readNextTaskId(path);
  if (id !== null && ids.includes(id)) await fs.rm(path, { force: true });
}

/** Returns the id of the task in the NEXT_TASK.md at this path; null if there is none. */
export async function readNextTaskId(path: string): Promise<TaskId | null> {
  return readNextTask((await readIfThere(path))?.toString() ?? '');
}
