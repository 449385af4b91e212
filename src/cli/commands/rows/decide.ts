import type { Command } from 'commander';
import { decideTask } from '../../../app/actions/tasks/decideTask';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import { Problem } from '../../../domain/problem';
import type { ShownState } from '../../../domain/reasons/reason';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { eachTask } from '../../eachTask';
import { describeReviewStop } from '../../output/reviewStop';
import { parseIds } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

/** Defines `cancel`. */
export function defineCancel(program: Command, act: Act): void {
  const command = program
    .command('cancel')
    .description('cancel tasks; ends running ones')
    .argument('<ids...>', 'the tasks');
  act(command, async (context, texts) => {
    const ids = parseIds(texts);
    return context.withQueue((queue) => eachTask(context.system, ids, (id) => cancelOne(context, queue, id)));
  });
}

async function cancelOne(context: Context, queue: TaskQueue, id: TaskId): Promise<boolean> {
  const isEnded = await decideTask(context, queue, { id, verb: 'cancel' }, (sentence) => {
    context.system.out(sentence);
  });
  if (!isEnded) return false;
  // The worker of a running task ends it, and only then it is cancelled.
  const { claims } = await queue.read();
  const isRunning = claims.some((claim) => claim.id === id && claim.owner.kind === 'process');
  const done = isRunning ? 'is being ended and will be cancelled' : 'is cancelled';
  context.system.out(`Task ${String(id)} ${done}.`);
  return true;
}

/** Defines `retry`, for tasks or for all failed ones. */
export function defineRetry(program: Command, act: Act): void {
  const command = program
    .command('retry')
    .description('retry tasks now, with their retry count reset to 0')
    .argument('[ids...]', 'the tasks')
    .option('--all', 'retry every failed task');
  act(command, (context, texts, { all }: { readonly all?: true }) => {
    if ((texts.length === 0) === (all === undefined)) {
      throw new Problem('usage', 'Give a task id, or --all for every failed task.');
    }
    const named = parseIds(texts);
    return context.withQueue(async (queue) => {
      // Refused also if there is nothing to retry.
      await refuseInsideAttempt(context, queue, 'retry tasks');
      const ids = all === true ? await findExhausted(context, queue) : named;
      const code = await retryEach(context, queue, ids);
      if (ids.length > 0) await showObstacles(context, queue, ids);
      return code;
    });
  });
}

/** Retries tasks and says which are pending again, even if one fails. */
async function retryEach(context: Context, queue: TaskQueue, ids: readonly TaskId[]): Promise<number> {
  const { system } = context;
  const { tasks } = await peekViewModel(context, queue);
  const waited = tasks
    .filter(({ reason }) => !ENDED.includes(reason.state))
    .map(({ task }) => task.definition.id);
  const report = (sentence: string): void => {
    system.out(sentence);
  };
  const done: TaskId[] = [];
  try {
    return await eachTask(system, ids, async (id) => {
      await decideTask(context, queue, { id, verb: 'retry' }, report);
      done.push(id);
      return true;
    });
  } finally {
    if (done.length > 0 || ids.length === 0)
      for (const line of describeRetried(done, waited)) system.out(line);
  }
}

/** Says what the user has to do before these pending tasks start: approve them, or act for the whole queue. */
export async function showObstacles(
  context: Context,
  queue: TaskQueue,
  ids: readonly TaskId[],
): Promise<void> {
  const { pause, stops, tasks } = await peekViewModel(context, queue);
  const unapproved = tasks
    .filter(({ task, reason }) => reason.state === 'unapproved' && ids.includes(task.definition.id))
    .map(({ task }) => task.definition.id);
  if (unapproved.length > 0) context.system.out(describeUnapproved(unapproved));
  if (pause !== null) context.system.out(`The queue is waiting: ${pause.text}.`);
  for (const sentence of describeReviewStop({ stops })) context.system.out(sentence);
}

function describeUnapproved(ids: readonly TaskId[]): string {
  const need = ids.length === 1 ? `Task ${ids.join()} needs` : `Tasks ${ids.join(', ')} need`;
  return `${need} approval to run on this machine: ${quoteCommand(`approve ${ids.join(' ')}`)}.`;
}

async function findExhausted(context: Context, queue: TaskQueue): Promise<TaskId[]> {
  const { tasks } = await peekViewModel(context, queue);
  return tasks.filter(({ reason }) => reason.state === 'dead').map(({ task }) => task.definition.id);
}

/** States from which `retry` makes a task pending. */
const ENDED: readonly ShownState[] = ['review', 'dead', 'completed', 'cancelled'];

function describeRetried(ids: readonly TaskId[], waited: readonly TaskId[]): string[] {
  if (ids.length === 0) return ['No task has failed.'];
  const again = ids.filter((id) => !waited.includes(id));
  const still = ids.filter((id) => waited.includes(id));
  return [
    ...(again.length === 0 ? [] : [`${nameSubjects(again)} pending again.`]),
    ...(still.length === 0 ? [] : [`${nameSubjects(still)} still pending, with the retry count at 0.`]),
  ];
}

function nameSubjects(ids: readonly TaskId[]): string {
  return ids.length === 1 ? `Task ${ids.join()} is` : `Tasks ${ids.join(', ')} are`;
}
