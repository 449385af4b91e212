import type { Command } from 'commander';
import { HELD_BY_HAND, holdQueue } from '../../../app/actions/queue/pauseQueue';
import { describeHold, namePriorities } from '../../../app/present/pause';
import type { Act } from '../../action';
import { FAILED, OK } from '../../exitCodes';
import { resumeQueue } from '../../../app/actions/queue/resumeQueue';
import { stopQueue } from '../../../app/actions/queue/stopQueue';
import { parsePriorities } from '../../options/parseArguments';

export function defineStop(program: Command, act: Act): void {
  const command = program
    .command('stop')
    .description('ask the workers of this queue to stop after their current task')
    .option('--now', 'end running tasks and wait for that; they resume later in the same session');
  act(command, (context, _args, { now }: { readonly now?: true }) =>
    context.withQueue(async (queue) => {
      const hasStopped = await stopQueue(context, queue, now === true ? 'now' : 'after-task', (sentence) => {
        context.system.out(sentence);
      });
      return hasStopped ? OK : FAILED;
    }),
  );
}

const PRIORITY_OPTION = ['--priority <priorities>', 'only tasks with these priorities (low,medium)'] as const;

interface HoldOptions {
  readonly priority?: string;
}

export function defineHold(program: Command, act: Act): void {
  const command = program
    .command('pause')
    .alias('hold')
    .description('pause the queue until "resume"; running tasks continue')
    .argument('[why]', 'the reason to show', HELD_BY_HAND)
    .option(...PRIORITY_OPTION);
  act(command, (context, [why = HELD_BY_HAND], { priority }: HoldOptions) => {
    const which = priority === undefined ? {} : { priorities: parsePriorities(priority) };
    return context.withQueue(async (queue) => {
      await holdQueue(context, queue, { why, ...which });
      context.system.out(
        which.priorities === undefined
          ? 'Queue paused. Resume it with "claude-queue resume".'
          : `Tasks with priority ${namePriorities(which.priorities)} are paused. Resume all with "claude-queue resume", some with "resume --priority".`,
      );
      return OK;
    });
  });
}

export function defineResume(program: Command, act: Act): void {
  const command = program
    .command('resume')
    .description('resume the queue; retry tasks that wait for a usage limit or the circuit breaker')
    .option(...PRIORITY_OPTION);
  act(command, (context, _args, { priority }: HoldOptions) => {
    const priorities = priority === undefined ? undefined : parsePriorities(priority);
    return context.withQueue(async (queue) => {
      await resumeQueue(context, queue, priorities);
      if (priorities === undefined) {
        context.system.out(
          'Queue resumed. If the account is still at its limit, the next task will show it.',
        );
        return OK;
      }
      context.system.out(`Removed the pause of priority ${namePriorities(priorities)}.`);
      for (const hold of (await queue.read()).holds) context.system.out(describeHold(hold, context.moment()));
      return OK;
    });
  });
}
