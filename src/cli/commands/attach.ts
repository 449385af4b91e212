import { once } from 'node:events';
import type { Command } from 'commander';
import { describeAttempt, layFactsOut } from '../../app/attemptWords';
import { findRun } from '../../app/workerWords';
import type { TaskId } from '../../domain/task';
import type { Snapshot, StopHow, TaskQueue } from '../../queue/taskQueue';
import { messageOf } from '../../worker/parts';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { follow } from '../follow';
import { parseId } from '../words';

export function defineAttach(program: Command, act: Act): void {
  const command = program
    .command('attach')
    .description('follow what runs, live; in a terminal: s stops after this task, x stops now, q leaves')
    .argument('[id]', 'show the newest output of this task instead, to its end')
    .option(
      '--stay',
      'tell first what is known of it, and wait for q at the end, in a terminal that closes with its program',
    );
  act(command, (context, [text], { stay }: { stay?: true }) => {
    const id = text === undefined ? null : parseId(text);
    return context.withQueue(async (queue) => {
      const leave = new AbortController();
      const end = AbortSignal.any([leave.signal, context.system.onEnd()]);
      const stop = (how: StopHow) => async () => {
        await queue.stop(how, context.system.createId());
        context.system.out(describeStop(how, await queue.read()));
      };
      const stops = { s: stop('after-task'), x: stop('now') };
      const restore = listenToKeys(context, id === null ? stops : {}, leave);
      try {
        if (stay === true && id !== null) await tellAttempt(context, queue, id);
        await follow(context, queue, id, end);
        if (stay === true) await untilLeft(context, end);
        return OK;
      } finally {
        restore();
      }
    });
  });
}

/** What is known of the attempt whose output follows, as `history` tells it; of one that still runs, nothing is yet. */
async function tellAttempt(context: Context, queue: TaskQueue, id: TaskId): Promise<void> {
  if ((await queue.read()).claims.some((claim) => claim.id === id)) return;
  const [newest] = await queue.attempts({ id, limit: 1 });
  if (newest === undefined) return;
  const { timeZone } = await context.configure();
  context.system.out([{ text: `${layFactsOut(describeAttempt(newest, timeZone))}\n`, tone: 'dim' }]);
}

/** Only a person can leave: what nobody has before them ends by itself. */
async function untilLeft({ system }: Context, end: AbortSignal): Promise<void> {
  if (end.aborted || system.keyboard === null) return;
  const left = once(end, 'abort');
  system.out([{ text: 'q: leave', tone: 'dim' }]);
  await left;
}

const STOPPING: Record<StopHow, string> = {
  'after-task': 'Stopping after this task.',
  now: 'Stopping now; what runs goes on later.',
};

/** What comes of a request to stop. */
function describeStop(how: StopHow, snapshot: Snapshot): string {
  if (findRun(snapshot) !== null) return STOPPING[how];
  return snapshot.workers.length > 0 ? 'Stopping.' : 'There is no worker to stop.';
}

/** Calls what a key stands for; gives what puts the terminal back as it was. */
function listenToKeys(
  { system, queueFile }: Context,
  keys: Partial<Record<'s' | 'x', () => Promise<void>>>,
  leave: AbortController,
): () => void {
  const { keyboard } = system;
  if (keyboard === null) return () => undefined;
  const words = keys.s === undefined ? 'q: leave' : 's: stop after this task · x: stop now · q: leave';
  system.out([{ text: queueFile, tone: 'bold' }, `\n${words}`]);
  const press = (data: Buffer): void => {
    const key = data.toString();
    if (key === 's' || key === 'x') {
      keys[key]?.().catch((error: unknown) => {
        system.err(messageOf(error));
      });
    }
    // In raw mode Ctrl-C is a key like any other.
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
