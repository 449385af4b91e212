import { once } from 'node:events';
import type { Command } from 'commander';
import { describeAttempt, layFactsOut } from '../../../app/present/attempt';
import { stopQueue } from '../../../app/actions/queue/stopQueue';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { StopHow } from '../../../domain/queue/workerStop';
import { describeError } from '../../../app/present/problems/problem';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { followAll, followTask } from '../../output/followLoop';
import { parseId } from '../../options/parseArguments';
import { showOutput } from './log';

export function defineAttach(program: Command, act: Act): void {
  const command = program
    .command('attach')
    .description('follow running tasks live; in a terminal: s stops after this task, x stops now, q detaches')
    .argument('[id]', 'show the latest output of this task instead, until it ends')
    .option(
      '--stay',
      'show its details first, and wait for q at the end (for a terminal that closes with its program)',
    );
  act(command, (context, [text], { stay }: { stay?: true }) => {
    const id = text === undefined ? null : parseId(text);
    return context.withQueue(async (queue) => {
      const leave = new AbortController();
      const end = AbortSignal.any([leave.signal, context.system.onEnd()]);
      let stopping = Promise.resolve();
      const stop = (how: StopHow) => () => {
        stopping = stopping.then(() => stopAndReport(context, queue, how));
      };
      const stops = { s: stop('after-task'), x: stop('now') };
      const restore = listenToKeys(context, id === null ? stops : {}, leave);
      try {
        if (stay === true && id !== null) await showAttempt(context, queue, id);
        if (id === null) await followAll(context, queue, end);
        else if (!(await followTask(context, queue, id, end))) await showOutput(context, queue, id);
        if (stay === true) await untilLeft(context, end);
        return OK;
      } finally {
        restore();
        // The queue stays open until a requested stop is done.
        await stopping;
      }
    });
  });
}

/** Shows the facts of the attempt whose output follows, as `history` does; nothing while it is still running. */
async function showAttempt(context: Context, queue: TaskQueue, id: TaskId): Promise<void> {
  if ((await queue.read()).claims.some((claim) => claim.id === id)) return;
  const [newest] = await queue.attempts({ id, limit: 1 });
  if (newest === undefined) return;
  // The moment has the time zone of the last look at the settings.
  await context.configure();
  const facts = describeAttempt(newest, { ...context.moment(), withMachine: context.redis !== null });
  context.system.out([{ text: `${layFactsOut(facts)}\n`, tone: 'dim' }]);
}

/** Waits until the user leaves. Without a keyboard it ends at once. */
async function untilLeft({ system }: Context, end: AbortSignal): Promise<void> {
  if (end.aborted || system.keyboard === null) return;
  const left = once(end, 'abort');
  system.out([{ text: 'q: detach', tone: 'dim' }]);
  await left;
}

/** Stops the queue as `stop` does. A failure is reported, and following continues. */
async function stopAndReport(context: Context, queue: TaskQueue, how: StopHow): Promise<void> {
  const { system } = context;
  try {
    await stopQueue(context, queue, how, (sentence) => {
      system.out(sentence);
    });
  } catch (error) {
    system.err(describeError(error));
  }
}

/** Calls the action of a pressed key. Returns a function that restores the terminal. */
function listenToKeys(
  { system, queueFile }: Context,
  keys: Partial<Record<'s' | 'x', () => void>>,
  leave: AbortController,
): () => void {
  const { keyboard } = system;
  if (keyboard === null) return () => undefined;
  const words = keys.s === undefined ? 'q: detach' : 's: stop after this task · x: stop now · q: detach';
  system.out([{ text: queueFile, tone: 'bold' }, `\n${words}`]);
  const press = (data: Buffer): void => {
    // Presses of one key may arrive together. Different characters are a pasted text, or a special key.
    const [key, ...others] = new Set(data.toString());
    if (others.length > 0) return;
    if (key === 's' || key === 'x') keys[key]?.();
    // In raw mode Ctrl-C is an ordinary key.
    if (key === 'q' || key === '\u0003') leave.abort();
  };
  keyboard.setRawMode(true);
  keyboard.on('data', press);
  return () => {
    keyboard.off('data', press);
    keyboard.setRawMode(false);
    keyboard.pause();
  };
}
