import type { Command } from 'commander';
import { makeQueue } from '../../app/newQueue';
import type { Act } from '../action';
import { OK } from '../exitCodes';

export function defineInit(program: Command, act: Act): void {
  act(program.command('init').description('make an empty queue file'), async (context) => {
    await makeQueue(context);
    context.system.out(`Made ${context.queueFile}.`);
    context.system.out('Next: claude-queue add "what Claude is to do", then claude-queue work');
    return OK;
  });
}
