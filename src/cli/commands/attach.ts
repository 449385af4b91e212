import type { Command } from 'commander';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { follow } from '../follow';
import { parseId } from '../words';

export function defineAttach(program: Command, act: Act): void {
  const command = program
    .command('attach')
    .description('follow what runs, live; in a terminal: s stops after this task, x stops now, q leaves')
    .argument('[id]', 'show the newest output of this task instead, to its end');
  act(command, async (context, [text]) => {
    const queue = await context.openQueue();
    const leave = new AbortController();
    const end = AbortSignal.any([leave.signal, context.system.onEnd()]);
    const restore = listenToKeys(context, {
      s: () => queue.stop('after-task', context.system.createId()),
      x: () => queue.stop('now', context.system.createId()),
      q: () => {
        leave.abort();
        return Promise.resolve();
      },
    });
    try {
      await follow(context, queue, text === undefined ? null : parseId(text), end);
      return OK;
    } finally {
      restore();
      await queue.close();
    }
  });
}

/** Calls what a key stands for; gives what puts the terminal back as it was. */
function listenToKeys({ system }: Context, keys: Record<'s' | 'x' | 'q', () => Promise<void>>): () => void {
  const { keyboard } = system;
  if (keyboard === null) return () => undefined;
  system.out('s: stop after this task · x: stop now · q: leave');
  const press = (data: Buffer): void => {
    const key = data.toString();
    // In raw mode Ctrl-C is a key like any other.
    if (key === 's' || key === 'x' || key === 'q') void keys[key]();
    else if (key === '\u0003') void keys.q();
  };
  keyboard.setRawMode(true);
  keyboard.on('data', press);
  return () => {
    keyboard.off('data', press);
    keyboard.setRawMode(false);
    keyboard.pause();
  };
}
