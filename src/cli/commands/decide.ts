import type { Command } from 'commander';
import { decideTask } from '../../app/decideTask';
import { refuseInsideRun } from '../../app/insideRun';
import { takePicture } from '../../app/picture';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import type { TaskQueue, Verb } from '../../queue/taskQueue';
import type { Act } from '../action';
import type { Context } from '../context';
import { FAILED, OK } from '../exitCodes';
import { parseId } from '../words';

const VERBS: readonly { verb: Verb; does: string; done: string }[] = [
  { verb: 'accept', does: 'call a task in review completed', done: 'is completed' },
  { verb: 'cancel', does: 'cancel a task; one that runs is ended', done: 'is cancelled' },
];

/** `retry`, `accept`, `cancel`: what a person decides about one task, or about all that were given up. */
export function defineDecisions(program: Command, act: Act): void {
  defineRetry(program, act);
  for (const { verb, does, done } of VERBS) {
    const command = program.command(verb).description(does).argument('<id>', 'the task');
    act(command, async (context, [text = '']) => {
      const id = parseId(text);
      return context.withQueue(async (queue) => {
        const isEnded = await decideTask(context, queue, { id, verb }, (sentence) => {
          context.system.out(sentence);
        });
        if (!isEnded) return FAILED;
        // Only `cancel` takes one that runs; its worker sees to it, and only then it is cancelled.
        const { claims } = await queue.read();
        const isRunning = claims.some((claim) => claim.id === id && claim.owner.kind === 'process');
        context.system.out(
          `Task ${String(id)} ${isRunning ? 'is being ended, and then is cancelled' : done}.`,
        );
        return OK;
      });
    });
  }
}

function defineRetry(program: Command, act: Act): void {
  const command = program
    .command('retry')
    .description('try a task again now, its retries from 0')
    .argument('[id]', 'the task')
    .option('--all', 'every task that was given up');
  act(command, (context, [text], { all }: { readonly all?: true }) => {
    if ((text === undefined) === (all === undefined)) {
      throw new Problem('usage', 'Name a task, or say --all for every task that was given up.');
    }
    const id = text === undefined ? null : parseId(text);
    return context.withQueue(async (queue) => {
      // Also where there turns out to be nothing to retry.
      await refuseInsideRun(context, queue, 'retry tasks');
      const ids = id === null ? await findGivenUp(context, queue) : [id];
      await retryEach(context, queue, ids);
      if (ids.length > 0) await tellPause(context, queue);
      return OK;
    });
  });
}

/** Says which tasks are pending again, also where one of them cannot be and the rest is not tried. */
async function retryEach(context: Context, queue: TaskQueue, ids: readonly TaskId[]): Promise<void> {
  const { system } = context;
  const tell = (sentence: string): void => {
    system.out(sentence);
  };
  const done: TaskId[] = [];
  try {
    for (const id of ids) {
      await decideTask(context, queue, { id, verb: 'retry' }, tell);
      done.push(id);
    }
  } finally {
    if (done.length > 0 || ids.length === 0) system.out(describeRetried(done));
  }
}

/** Pending again is not begun again where the whole queue waits for a person. */
export async function tellPause(context: Context, queue: TaskQueue): Promise<void> {
  const { pause } = await takePicture(context, queue);
  if (pause !== null) context.system.out(`The queue waits: ${pause.text}.`);
}

async function findGivenUp(context: Context, queue: TaskQueue): Promise<TaskId[]> {
  const { tasks } = await takePicture(context, queue);
  return tasks.filter(({ reason }) => reason.shown === 'dead').map(({ task }) => task.definition.id);
}

function describeRetried(ids: readonly TaskId[]): string {
  if (ids.length === 0) return 'No task was given up.';
  const isOne = ids.length === 1;
  return `Task${isOne ? '' : 's'} ${ids.join(', ')} ${isOne ? 'is' : 'are'} pending again.`;
}
