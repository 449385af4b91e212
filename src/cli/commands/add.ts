import type { Command, OptionValues } from 'commander';
import { addTask } from '../../app/addTask';
import { describeLacks } from '../../app/rowNeeds';
import type { Act } from '../action';
import { addCellOptions, readCells, readPrompt } from '../cellOptions';
import type { Context } from '../context';
import { OK } from '../exitCodes';

export function defineAdd(program: Command, act: Act): void {
  const command = program
    .command('add')
    .description('append a task and approve it; "-" reads the prompt from standard input')
    .argument('<prompt>', 'what Claude is to do');
  act(addCellOptions(command), add);
}

async function add(
  context: Context,
  [words = '']: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { system } = context;
  const prompt = await readPrompt(system, words);
  const { settings } = await context.configure();
  // Where there are rules for it, a priority that nobody named is theirs to decide.
  const usual = settings.priorityRules.length === 0 ? { priority: 'medium' } : {};
  const cells = {
    ...USUAL,
    working_dir: context.here,
    ...usual,
    prompt,
    ...(await readCells(context, options)),
  };
  return context.withQueue(async (queue) => {
    const id = await addTask(context, queue, { cells });
    const where = cells.working_dir === '.' ? '' : `; it runs in ${cells.working_dir}`;
    system.out(`Added task ${String(id)} to ${context.queueFile}${where}.`);
    for (const lack of await describeLacks(context, queue, id)) system.err(lack);
    return OK;
  });
}

const USUAL = {
  status: 'pending',
  repeat: 'no',
  retry_count: '0',
  max_retries: '3',
} as const;
