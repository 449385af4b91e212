import { describeOccurrence, occurrenceAsJson } from '../../app/present/occurrence';
import { peekViewModel } from '../../app/viewModel/queueViewModel';
import { occurrencesOf } from '../../domain/time/occurrences';
import { Problem } from '../../domain/problem';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { explainMissing } from './missingTask';
import { layOut } from './table';
import { formatJson, parseId } from '../options/parseArguments';

const HEAD = ['due', 'until', 'times', 'result'];

/** Prints what happened at each due time of a task. @throws Problem `usage` without an id, `no-such-task` */
export async function showOccurrences(
  text: string | undefined,
  context: Context,
  asJson: boolean,
): Promise<typeof OK> {
  if (text === undefined) throw new Problem('usage', 'Give a task, such as "history 7 --occurrences".');
  const id = parseId(text);
  const { viewModel, attempts } = await context.withQueue(async (queue) => ({
    viewModel: await peekViewModel(context, queue),
    attempts: await queue.attempts({ id }),
  }));
  const { world } = viewModel;
  const task = world.byId.get(id);
  if (task === undefined) throw explainMissing(id, viewModel.snapshot, context);
  const found = occurrencesOf(task, [...attempts].reverse(), world);
  if (asJson)
    context.system.out(formatJson({ occurrences: found.map((one) => occurrenceAsJson(one, world)) }));
  else if (found.length === 0) context.system.out('No due time of this task has passed yet.');
  else {
    const rows = found.map((occurrence) => describeOccurrence(occurrence, world));
    context.system.out(layOut(HEAD, rows).join('\n'));
  }
  return OK;
}
