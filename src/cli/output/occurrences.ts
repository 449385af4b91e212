import { describeOccurrence, occurrenceAsJson } from '../../app/present/occurrence';
import { peekViewModel } from '../../app/viewModel/queueViewModel';
import { occurrencesOf } from '../../domain/time/occurrences';
import type { TaskId } from '../../domain/task/task';
import type { AttemptFilter, TaskQueue } from '../../queue/taskQueue';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { explainMissing } from './missingTask';
import { layOut } from './table';
import { formatJson } from '../options/parseArguments';

const NONE = 'No due time of this task has passed yet.';

const HEAD = ['due', 'until', 'times', 'result'];

/**
 * Prints what happened at each due time of a task, since a time, the latest up to a limit.
 * @throws Problem `no-such-task`
 */
export async function showOccurrences(
  context: Context,
  queue: TaskQueue,
  { id, since, limit }: Pick<AttemptFilter, 'since' | 'limit'> & { readonly id: TaskId },
  asJson: boolean,
): Promise<typeof OK> {
  const viewModel = await peekViewModel(context, queue);
  const attempts = await queue.attempts({ id });
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
