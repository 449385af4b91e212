import type { Command } from 'commander';
import type { TaskQueue } from '../../queue/taskQueue';
import { tendLostRuns } from '../../worker/lostRuns';
import type { Act } from '../action';
import type { Context } from '../context';
import { OK } from '../exitCodes';
import { describePutAway } from '../../app/historyWords';
import { refuseInsideRun } from '../../app/insideRun';
import { createLiveView } from '../liveView';

export function defineReset(program: Command, act: Act): void {
  const command = program
    .command('reset')
    .description(
      'put history, logs and outputs away (rows, holds, times, budget and sessions stay; nothing is deleted)',
    );
  act(command, (context) =>
    context.withQueue(async (queue) => {
      await refuseInsideRun(context, queue, 'put the history away');
      await giveLostRunsBack(context, queue);
      const archive = await queue.reset(context.system.createId());
      context.system.out(describePutAway(archive));
      return OK;
    }),
  );
}

/** A run whose worker died does not keep the history from being put away. */
async function giveLostRunsBack(context: Context, queue: TaskQueue): Promise<void> {
  const { clock, processes, random, createId } = context.system;
  const { timeZone } = await context.configure();
  const events = createLiveView(context.system, () => timeZone);
  await tendLostRuns({ queue, processes, rules: context.configuration, clock, events, random, createId });
}
