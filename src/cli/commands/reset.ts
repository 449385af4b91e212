import type { Command } from 'commander';
import type { Act } from '../action';
import { OK } from '../exitCodes';
import { describePutAway } from '../../app/historyWords';
import { resetQueue } from '../../app/resetQueue';

export function defineReset(program: Command, act: Act): void {
  const command = program
    .command('reset')
    .description(
      'put history, logs and outputs away (rows, holds, times, budget and sessions stay; nothing is deleted)',
    );
  act(command, async (context) => {
    const archive = await resetQueue(context, (sentence) => {
      context.system.out(sentence);
    });
    context.system.out(describePutAway(archive));
    return OK;
  });
}
