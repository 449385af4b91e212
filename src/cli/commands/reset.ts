import type { Command } from 'commander';
import type { Act } from '../action';
import { OK } from '../exitCodes';

export function defineReset(program: Command, act: Act): void {
  const command = program
    .command('reset')
    .description('put history, logs and outputs away (nothing is deleted; the rows stay as they are)');
  act(command, (context) =>
    context.withQueue(async (queue) => {
      const archive = await queue.reset(context.system.createId());
      context.system.out(`The history is now in ${archive}.`);
      return OK;
    }),
  );
}
