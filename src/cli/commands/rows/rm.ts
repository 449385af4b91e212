import type { Command } from 'commander';
import { withShared } from '../../../app/context/withShared';
import { removeTasks, removeUnnamedRow } from '../../../app/actions/rows/removeTasks';
import { shorten } from '../../../app/present/text';
import { Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import { allOrNone } from '../../allOrNone';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { parseCount, parseIds } from '../../options/parseArguments';

const PROMPT_WIDTH = 60;

/** Defines `rm`, which removes tasks from the queue file. */
export function defineRm(program: Command, act: Act): void {
  const command = program
    .command('rm')
    .alias('remove')
    .description('remove tasks from the queue file (all or none); keeps their history')
    .argument('[ids...]', 'the tasks')
    .option('--row <number>', 'in Redis: remove this row, whose id is unreadable or on other rows too');
  act(command, (context, texts, { row }: { readonly row?: string }) => {
    if ((texts.length === 0) === (row === undefined)) throw new Problem('usage', 'Give task ids or --row.');
    if (row !== undefined) return removeRow(context, parseCount(row));
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

function removeRow(context: Context, row: number): Promise<number> {
  return withShared(context, async (queue) => {
    const { id = '', prompt = '' } = await removeUnnamedRow(context, queue, row);
    context.system.out(`Removed row ${String(row)}, with id "${id}": ${shorten(prompt, PROMPT_WIDTH)}`);
    return OK;
  });
}
