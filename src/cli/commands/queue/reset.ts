import type { Command } from 'commander';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { resetQueue } from '../../../app/actions/resetQueue';

export function defineReset(program: Command, act: Act): void {
  const command = program
    .command('reset')
    .description(
      'put history, logs and outputs away (rows, holds, times, budget and sessions stay; nothing is deleted)',
    );
  act(command, async (context) => {
    const report = (sentence: string): void => {
      context.system.out(sentence);
    };
    report(await resetQueue(context, report));
    return OK;
  });
}
