import type { Command } from 'commander';
import { Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import { OK } from '../../exitCodes';
import { follow } from '../../output/followLoop';
import { showOutput } from '../../output/attemptOutput';
import { parseCount, parseId } from '../../options/parseArguments';

interface LogOptions {
  readonly attempt?: string;
  readonly follow?: true;
}

/** Defines `log`, which prints the output of a task's attempt. */
export function defineLog(program: Command, act: Act): void {
  const command = program
    .command('log')
    .alias('logs')
    .description("print the output of a task's latest attempt")
    .argument('<id>', 'the task')
    .option('--attempt <number>', 'print the output of this attempt')
    .option('-f, --follow', 'follow a running attempt until it ends');
  act(command, (context, [text = ''], { attempt, follow: follows }: LogOptions) => {
    const id = parseId(text);
    const number = attempt === undefined ? undefined : parseCount(attempt);
    if (follows === true && number !== undefined)
      throw new Problem('usage', 'Give --attempt or --follow: not both.');
    return context.withQueue(async (queue) => {
      if (follows === true) await follow(context, queue, id, context.system.onEnd());
      else await showOutput(context, queue, id, number);
      return OK;
    });
  });
}
