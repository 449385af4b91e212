import type { Command } from 'commander';
import { refuseUnadopted } from '../../../app/actions/queue/adopt';
import { claimNext } from '../../../app/actions/attempts/claimNext';
import { type ManualOutcome, returnTask } from '../../../app/actions/attempts/endUserClaim';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import type { TaskId } from '../../../domain/task/task';
import type { TaskQueue } from '../../../queue/taskQueue';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { eachTask } from '../../eachTask';
import { NOTHING, OK } from '../../exitCodes';
import { parseIds } from '../../options/parseArguments';
import { commandOf } from '../../../platform/text/commandName';

export function defineNext(program: Command, act: Act): void {
  const command = program
    .command('next')
    .description('take the next task to do it with Claude by hand; writes NEXT_TASK.md');
  act(command, next);
}

async function next(context: Context): Promise<number> {
  const { system } = context;
  return context.withQueue(async (queue) => {
    await refuseInsideAttempt(context, queue, 'take tasks');
    await refuseUnadopted(context, queue);
    const taken = await claimNext(context, queue);
    if (taken.kind === 'idle') {
      system.out(`There is no next task: ${taken.why}.`);
      return NOTHING;
    }
    system.out(`Task ${String(taken.definition.id)} is yours: ${context.paths.nextTask}`);
    system.out(`Start claude in ${taken.place.folder} and ask it to read that file and do the task in it.`);
    system.out(`Then report the result: ${commandOf('done')}, fail or release.`);
    return OK;
  });
}

const ENDS = [
  { name: 'done', outcome: 'success', does: 'mark your task as completed' },
  { name: 'fail', outcome: 'error', does: 'mark your task as failed' },
] as const;

/** Defines `done`, `fail` and `release`, which end the user's claim of a task. */
export function defineEnds(program: Command, act: Act): void {
  for (const { name, outcome, does } of ENDS) {
    const command = program
      .command(name)
      .description(does)
      .argument('[ids...]', 'the tasks, if you have several');
    act(command, (context, texts) => endInteractive(context, texts, outcome));
  }
  const release = program
    .command('release')
    .description('return your task to the queue unchanged')
    .argument('[ids...]', 'the tasks, if you have several');
  act(release, (context, texts) => endInteractive(context, texts, null));
}

async function endInteractive(
  context: Context,
  texts: readonly string[],
  outcome: ManualOutcome,
): Promise<number> {
  const ids = parseIds(texts);
  return context.withQueue(async (queue) => {
    await refuseInsideAttempt(context, queue, 'mark tasks');
    const named = ids.length === 0 ? [undefined] : ids;
    return eachTask(context.system, named, (id) => endOne(context, queue, id, outcome));
  });
}

async function endOne(
  context: Context,
  queue: TaskQueue,
  id: TaskId | undefined,
  outcome: ManualOutcome,
): Promise<boolean> {
  const ended = await returnTask(context, queue, id, outcome);
  const became = outcome === null ? 'is back in the queue' : outcome === 'success' ? 'is done' : 'failed';
  context.system.out(`Task ${String(ended.id)} ${became}.`);
  if (ended.wasEdited) context.system.out('Its row was edited meanwhile; the new version is still to do.');
  return true;
}
