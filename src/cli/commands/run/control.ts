import type { Command } from 'commander';
import { HELD_BY_HAND, holdQueue } from '../../../app/actions/queue/pauseQueue';
import { describeHold, namePriorities } from '../../../app/present/pause';
import { Problem } from '../../../domain/problem';
import { unlessAll, type Priority } from '../../../domain/task/priority';
import type { Act } from '../../action';
import { FAILED, OK } from '../../exitCodes';
import { type Resumed, resumePriorities, resumeQueue } from '../../../app/actions/queue/resumeQueue';
import { stopWorkers } from '../../../app/actions/queue/stopUnread';
import { parsePriorities } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

export function defineStop(program: Command, act: Act): void {
  const command = program
    .command('stop')
    .description('ask the workers of this queue to stop after their current task')
    .option('--now', 'end running tasks and wait for that; they resume later in the same session');
  act(command, async (context, _args, { now }: { readonly now?: true }) => {
    const how = now === true ? 'now' : 'after-task';
    const report = (sentence: string): void => {
      context.system.out(sentence);
    };
    const hasStopped = await stopWorkers(context, how, report);
    return hasStopped ? OK : FAILED;
  });
}

const PRIORITY_OPTION = ['--priority <priorities>', 'only tasks with these priorities (low,medium)'] as const;

interface HoldOptions {
  readonly priority?: string;
}

/** Returns the priorities that the option names; undefined: all. @throws Problem `usage` */
function parseSomePriorities(text: string | undefined): readonly Priority[] | undefined {
  return text === undefined ? undefined : unlessAll(parsePriorities(text));
}

export function defineHold(program: Command, act: Act): void {
  const command = program
    .command('pause')
    .alias('hold')
    .description('pause the queue until "resume"; running tasks continue')
    .argument('[why]', 'the reason to show', HELD_BY_HAND)
    .option(...PRIORITY_OPTION);
  act(command, (context, [why = HELD_BY_HAND], { priority }: HoldOptions) => {
    const priorities = parseSomePriorities(priority);
    if (/^[\d,\s]*\d[\d,\s]*$/.test(why))
      throw new Problem(
        'usage',
        `"pause" takes a reason, and stops the whole queue. To keep a task from starting: ${quoteCommand(`cancel ${why.trim()}`)}.`,
      );
    return context.withQueue(async (queue) => {
      await holdQueue(context, queue, { why, ...(priorities === undefined ? {} : { priorities }) });
      context.system.out(
        priorities === undefined
          ? `Queue paused. Resume it with ${quoteCommand('resume')}.`
          : `Tasks with priority ${namePriorities(priorities)} are paused. Resume all with ${quoteCommand('resume')}, some with "resume --priority".`,
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
    const priorities = parseSomePriorities(priority);
    return context.withQueue(async (queue) => {
      if (priorities === undefined) {
        context.system.out(describeResumed(await resumeQueue(context, queue)));
        return OK;
      }
      const { holds } = await queue.read();
      await resumePriorities(context, queue, priorities);
      const wasHeld = holds.some((hold) => hold.priorities?.some((one) => priorities.includes(one)) === true);
      const names = namePriorities(priorities);
      context.system.out(
        wasHeld ? `Removed the pause of priority ${names}.` : `Priority ${names} has no pause of its own.`,
      );
      for (const hold of (await queue.read()).holds) context.system.out(describeHold(hold, context.moment()));
      return OK;
    });
  });
}

function describeResumed({ wasPaused, hasOpenedGate }: Resumed): string {
  const gate = hasOpenedGate
    ? ['The gate was closed and is open now. If the cause remains, the next task closes it again.']
    : [];
  if (wasPaused) return ['Queue resumed.', ...gate].join(' ');
  return gate[0] ?? 'The queue was not paused.';
}
