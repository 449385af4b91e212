import type { Command } from 'commander';
import { HELD_BY_HAND, holdQueue } from '../../../app/actions/pauseQueue';
import { describeHold, namePriorities } from '../../../app/present/pause';
import type { Act } from '../../action';
import { FAILED, OK } from '../../exitCodes';
import { resumeQueue } from '../../../app/actions/resumeQueue';
import { stopQueue } from '../../../app/actions/stopQueue';
import { parsePriorities } from '../../options/parseArguments';

export function defineStop(program: Command, act: Act): void {
  const command = program
    .command('stop')
    .description('ask the workers of this queue to stop after the task they are at')
    .option('--now', 'end what runs, and wait for that; it is resumed later in the same session');
  act(command, (context, _args, { now }: { readonly now?: true }) =>
    context.withQueue(async (queue) => {
      const hasStopped = await stopQueue(context, queue, now === true ? 'now' : 'after-task', (sentence) => {
        context.system.out(sentence);
      });
      return hasStopped ? OK : FAILED;
    }),
  );
}

const PRIORITY_OPTION = ['--priority <priorities>', 'only tasks of these priorities (low,medium)'] as const;

interface HoldOptions {
  readonly priority?: string;
}

export function defineHold(program: Command, act: Act): void {
  const command = program
    .command('pause')
    .alias('hold')
    .description('start no task until "resume"; what runs continues')
    .argument('[why]', 'what to tell those who ask', HELD_BY_HAND)
    .option(...PRIORITY_OPTION);
  act(command, (context, [why = HELD_BY_HAND], { priority }: HoldOptions) => {
    const which = priority === undefined ? {} : { priorities: parsePriorities(priority) };
    return context.withQueue(async (queue) => {
      await holdQueue(context, queue, { why, ...which });
      context.system.out(
        which.priorities === undefined
          ? 'The queue is held. "claude-queue resume" lets it go on.'
          : `Tasks of priority ${namePriorities(which.priorities)} are held. "claude-queue resume" lets all go on, "resume --priority" some.`,
      );
      return OK;
    });
  });
}

export function defineResume(program: Command, act: Act): void {
  const command = program
    .command('resume')
    .description('lift every hold, and try again now what waits at a closed gate or after failures in a row')
    .option(...PRIORITY_OPTION);
  act(command, (context, _args, { priority }: HoldOptions) => {
    const priorities = priority === undefined ? undefined : parsePriorities(priority);
    return context.withQueue(async (queue) => {
      await resumeQueue(context, queue, priorities);
      if (priorities === undefined) {
        context.system.out(
          'The queue goes on; if the account is still at its limit, the next task will tell.',
        );
        return OK;
      }
      context.system.out(`No hold is on priority ${namePriorities(priorities)} alone any more.`);
      for (const hold of (await queue.read()).holds) context.system.out(describeHold(hold, context.moment()));
      return OK;
    });
  });
}
