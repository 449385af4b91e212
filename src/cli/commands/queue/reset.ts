import type { Command } from 'commander';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { resetQueue } from '../../../app/actions/queue/resetQueue';

export function defineReset(program: Command, act: Act): void {
  const command = program
    .command('reset')
    .description(
      'archive history, logs and outputs (keeps rows, pauses, due times, budget and sessions; deletes nothing)',
    );
  act(command, async (context) => {
    const report = (sentence: string): void => {
      context.system.out(sentence);
    };
    report(await resetQueue(context, report));
    return OK;
  });
}
