import type { Command, OptionValues } from 'commander';
import { addTasks } from '../../../app/actions/rows/addTask';
import { describeUnseenSetUps } from '../../../app/approval/setUp';
import { describeLacks } from '../../../app/checks/taskRequirements';
import { count, titleOf } from '../../../app/present/text';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { readPromptFile } from '../../../platform/files/promptFiles';
import { usualCells } from '../../../queue/row/usualCells';
import type { TaskDraft, TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import { readBatch } from '../../options/batch';
import { addCellOptions, readCells, readPrompt, type Cells } from '../../options/cellOptions';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { formatJson } from '../../options/parseArguments';

export function defineAdd(program: Command, act: Act): void {
  const command = program
    .command('add')
    .description('append a task and approve it; "-" reads the prompt from standard input')
    .argument('[prompt...]', 'the prompt; several words are joined')
    .option('--from <file>', 'add one task per line of this file (- for standard input): a prompt or JSON')
    .option('--json', 'print the new ids as JSON');
  act(addCellOptions(command), add);
}

async function add(context: Context, words: readonly string[], options: OptionValues): Promise<number> {
  const { system } = context;
  const { from } = options as { readonly from?: string };
  const cells = await readCells(context, options);
  const given = await readTasks(context, words, from, cells);
  const usual = { ...(await composeUsual(context)), ...cells };
  const drafts = given.map((one) => ({ ...one, fields: { ...usual, ...one.fields } }));
  const rows = drafts.map(({ fields }): Cells => fields);
  return context.withQueue(async (queue) => {
    const ids = await addTasks(context, queue, drafts);
    const warnings = [
      ...(await describeLacks(context, queue, ids)),
      ...(await findUnapproved(context, queue, ids)),
    ];
    if (options['json'] === true) {
      const tasks = ids.map((id, index) => ({ id, prompt: rows[index]?.['prompt'] ?? '' }));
      system.out(formatJson({ file: context.queueFile, tasks, warnings }));
      return OK;
    }
    const folders = new Set(rows.map(({ working_dir: folder = '.' }) => folder));
    system.out(describeAdded(ids, context, folders));
    for (const warning of warnings) system.err(warning);
    return OK;
  });
}

/** Reads the tasks, with the cells in which they differ. @throws Problem `usage` */
async function readTasks(
  context: Context,
  words: readonly string[],
  from: string | undefined,
  { prompt_file: file = '' }: Cells,
): Promise<readonly TaskDraft[]> {
  if (from === undefined && words.length === 0 && file !== '')
    return [{ fields: { prompt: readTitle(context, file) } }];
  if (from === undefined) return [{ fields: { prompt: await readPrompt(context.system, words.join(' ')) } }];
  if (words.length === 0) return readBatch(context, from);
  throw new Problem('usage', 'Give a prompt, or --from: not both.');
}

/** Returns the title of a task whose prompt is in this file. @throws Problem `usage` if that cannot be read */
function readTitle({ paths }: Context, file: string): string {
  const reading = readPromptFile(paths.workspace, file);
  if ('value' in reading) return titleOf(reading.value);
  throw new Problem('usage', reading.wrong);
}

async function findUnapproved(context: Context, queue: TaskQueue, ids: readonly TaskId[]): Promise<string[]> {
  const { tasks } = await queue.read();
  const approved = await context.openApprovals().read();
  return describeUnseenSetUps(ids, { tasks, approved });
}

/** Names the folder unless it is the workspace that the user is in. */
function describeAdded(
  ids: readonly TaskId[],
  { queueFile, paths, isInWorkspace }: Context,
  folders: ReadonlySet<string>,
): string {
  const [first = 0] = ids;
  const last = ids.at(-1) ?? first;
  const what =
    ids.length === 1
      ? `task ${String(first)}`
      : `${count(ids.length, 'task')} (${String(first)} to ${String(last)})`;
  const [named = '.'] = folders;
  const folder = named === '.' && !isInWorkspace ? paths.workspace : named;
  const where =
    folders.size > 1 || folder === '.' ? '' : `; ${ids.length === 1 ? 'it runs' : 'they run'} in ${folder}`;
  return `Added ${what} to ${queueFile}${where}.`;
}

/** Returns the default cells of a new row. */
async function composeUsual(context: Context): Promise<Cells> {
  const { settings } = await context.configure();
  return { ...usualCells(settings), working_dir: context.here };
}
