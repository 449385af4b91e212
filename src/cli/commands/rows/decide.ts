import type { Command } from 'commander';
import { decideTask } from '../../../app/actions/tasks/decideTask';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { peekViewModel } from '../../../app/viewModel/queueViewModel';
import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue, Verb } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { eachTask } from '../../eachTask';
import { parseIds } from '../../options/parseArguments';

const VERBS: readonly { verb: Verb; does: string; done: string }[] = [
  { verb: 'accept', does: 'mark tasks in review as completed', done: 'is completed' },
  { verb: 'cancel', does: 'cancel tasks; ends running ones', done: 'is cancelled' },
];

/** Defines `retry`, `accept` and `cancel`: decisions about tasks, or about all failed ones. */
export function defineDecisions(program: Command, act: Act): void {
  defineRetry(program, act);
  for (const { verb, does, done } of VERBS) {
    const command = program.command(verb).description(does).argument('<ids...>', 'the tasks');
    act(command, async (context, texts) => {
      const ids = parseIds(texts);
      return context.withQueue((queue) =>
        eachTask(context.system, ids, (id) => decideOne(context, queue, { id, verb, done })),
      );
    });
  }
}

async function decideOne(
  context: Context,
  queue: TaskQueue,
  { id, verb, done }: { readonly id: TaskId; readonly verb: Verb; readonly done: string },
): Promise<boolean> {
  const isEnded = await decideTask(context, queue, { id, verb }, (sentence) => {
    context.system.out(sentence);
  });
  if (!isEnded) return false;
  // Only `cancel` accepts a running task. Its worker ends it, and only then it is cancelled.
  const { claims } = await queue.read();
  const isRunning = claims.some((claim) => claim.id === id && claim.owner.kind === 'process');
  context.system.out(`Task ${String(id)} ${isRunning ? 'is being ended and will be cancelled' : done}.`);
  return true;
}

function defineRetry(program: Command, act: Act): void {
  const command = program
    .command('retry')
    .description('retry tasks now, with their retry count reset to 0')
    .argument('[ids...]', 'the tasks')
    .option('--all', 'retry every task that failed after its last attempt');
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
      if (ids.length > 0) await showPause(context, queue);
      return code;
    });
  });
}

/** Retries tasks and says which are pending again, even if one fails. */
async function retryEach(context: Context, queue: TaskQueue, ids: readonly TaskId[]): Promise<number> {
  const { system } = context;
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
    if (done.length > 0 || ids.length === 0) system.out(describeRetried(done));
  }
}

/** Says so if no task starts until the user acts: a pending task does not start then. */
export async function showPause(context: Context, queue: TaskQueue): Promise<void> {
  const { pause } = await peekViewModel(context, queue);
  if (pause !== null) context.system.out(`The queue is waiting: ${pause.text}.`);
}

async function findExhausted(context: Context, queue: TaskQueue): Promise<TaskId[]> {
  const { tasks } = await peekViewModel(context, queue);
  return tasks.filter(({ reason }) => reason.shown === 'dead').map(({ task }) => task.definition.id);
}

function describeRetried(ids: readonly TaskId[]): string {
  if (ids.length === 0) return 'No task has failed.';
  const isOne = ids.length === 1;
  return `Task${isOne ? '' : 's'} ${ids.join(', ')} ${isOne ? 'is' : 'are'} pending again.`;
}
