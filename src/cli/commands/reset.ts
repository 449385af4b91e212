import type { Command } from 'commander';
import type { Act } from '../action';
import { OK } from '../exitCodes';
import { describePutAway } from '../../app/historyWords';
import { refuseInsideRun } from '../../app/insideRun';
import { endLeftRuns } from '../../app/leftRuns';

export function defineReset(program: Command, act: Act): void {
  const command = program
    .command('reset')
    .description(
      'put history, logs and outputs away (rows, holds, times, budget and sessions stay; nothing is deleted)',
    );
  act(command, (context) =>
    context.withQueue(async (queue) => {
      await refuseInsideRun(context, queue, 'put the history away');
      // A run whose worker died does not keep the history from being put away.
      await endLeftRuns(context, queue, (sentence) => {
        context.system.out(sentence);
      });
      const archive = await queue.reset(context.system.createId());
      context.system.out(describePutAway(archive));
      return OK;
    }),
  );
}
