import type { Command } from 'commander';
import { removeTasks } from '../../../app/actions/rows/removeTasks';
import { shorten } from '../../../app/present/text';
import type { Act } from '../../action';
import { allOrNone } from '../../allOrNone';
import { OK } from '../../exitCodes';
import { parseIds } from '../../options/parseArguments';

const PROMPT_WIDTH = 60;

/** Defines `rm`, which removes tasks from the queue file. */
export function defineRm(program: Command, act: Act): void {
  const command = program
    .command('rm')
    .alias('remove')
    .description('remove tasks from the queue file (all or none); keeps their history')
    .argument('<ids...>', 'the tasks');
  act(command, (context, texts) => {
    const ids = parseIds(texts);
    return context.withQueue(async (queue) => {
      const { tasks } = await queue.read();
      await allOrNone(ids, 'Nothing was removed.', () => removeTasks(context, queue, ids));
      for (const id of ids) {
        const prompt = tasks.find(({ definition }) => definition.id === id)?.definition.prompt;
        const what = prompt === undefined ? '.' : `: ${shorten(prompt, PROMPT_WIDTH)}`;
        context.system.out(`Removed task ${String(id)}${what}`);
      }
      return OK;
    });
  });
}
