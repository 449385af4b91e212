import type { Command } from 'commander';
import type { Verb } from '../../queue/taskQueue';
import type { Act } from '../action';
import { OK } from '../exitCodes';
import { refuseInsideRun } from '../../app/insideRun';
import { parseId } from '../words';

const VERBS: readonly { verb: Verb; does: string; done: string }[] = [
  { verb: 'retry', does: 'try a task again now, its retries from 0', done: 'is pending again' },
  { verb: 'accept', does: 'call a task in review completed', done: 'is completed' },
  { verb: 'cancel', does: 'cancel a task; one that runs is ended', done: 'is cancelled' },
];

/** `retry`, `accept`, `cancel`: what a person decides about one task. */
export function defineDecisions(program: Command, act: Act): void {
  for (const { verb, does, done } of VERBS) {
    const command = program.command(verb).description(does).argument('<id>', 'the task');
    act(command, async (context, [text = '']) => {
      const id = parseId(text);
      return context.withQueue(async (queue) => {
        await refuseInsideRun(context, queue, `${verb} tasks`);
        await queue.command(id, verb, context.system.createId());
        // Only `cancel` takes one that runs; its worker sees to it, and only then it is cancelled.
        const { claims } = await queue.read();
        const isRunning = claims.some((claim) => claim.id === id && claim.owner.kind === 'process');
        context.system.out(
          `Task ${String(id)} ${isRunning ? 'is being ended, and then is cancelled' : done}.`,
        );
        return OK;
      });
    });
  }
}
