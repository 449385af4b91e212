import { describeOccurrence, occurrenceAsJson } from '../../app/present/occurrence';
import { peekViewModel } from '../../app/viewModel/queueViewModel';
import { occurrencesOf } from '../../domain/time/occurrences';
import { Problem } from '../../domain/problem';
import type { AttemptFilter } from '../../queue/taskQueue';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { explainMissing } from './missingTask';
import { layOut } from './table';
import { formatJson } from '../options/parseArguments';

const NONE = 'No due time of this task has passed yet.';

const HEAD = ['due', 'until', 'times', 'result'];

/**
 * Prints what happened at each due time of a task, since a time, the latest up to a limit.
 * @throws Problem `usage` without an id, `no-such-task`
 */
export async function showOccurrences(
  { id, since, limit }: Omit<AttemptFilter, 'outcome'>,
  context: Context,
  asJson: boolean,
): Promise<typeof OK> {
  if (id === undefined) throw new Problem('usage', 'Give a task, such as "history 7 --occurrences".');
  const { viewModel, attempts } = await context.withQueue(async (queue) => ({
    viewModel: await peekViewModel(context, queue),
    attempts: await queue.attempts({ id }),
  }));
  const { world } = viewModel;
  const task = world.byId.get(id);
  if (task === undefined) throw explainMissing(id, viewModel.snapshot, context);
  const all = occurrencesOf(task, [...attempts].reverse(), world);
  const found = all.filter(({ lastDueAt }) => lastDueAt >= (since ?? 0)).slice(-(limit ?? all.length));
  if (asJson)
    context.system.out(formatJson({ occurrences: found.map((one) => occurrenceAsJson(one, world)) }));
  else if (found.length === 0)
    context.system.out(all.length === 0 ? NONE : 'No due time of this task has passed since then.');
  else {
    const rows = found.map((occurrence) => describeOccurrence(occurrence, world));
    context.system.out(layOut(HEAD, rows).join('\n'));
  }
  return OK;
}
