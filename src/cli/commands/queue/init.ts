import type { Command } from 'commander';
import { offerAdoption } from '../../../app/actions/queue/adopt';
import { makeQueue } from '../../../app/actions/queue/newQueue';
import { isProblem, Problem } from '../../../domain/problem';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { USUAL_QUEUE } from '../../../queue/queuePaths';

export function defineInit(program: Command, act: Act): void {
  act(program.command('init').description('create an empty queue file'), async (context) => {
    refuseBelow(context);
    await make(context);
    context.system.out(`Created ${context.queueFile}.`);
    const offer = await offerAdoption(context);
    if (offer !== null) context.system.out(offer);
    const { command } = context;
    context.system.out(`Next: ${command} add "what Claude should do", then ${command} work`);
    return OK;
  });
}

/** Refuses a folder that belongs to a queue above it. @throws Problem `queue-exists` */
function refuseBelow({ isAbove, queueFile }: Context): void {
  if (!isAbove) return;
  throw new Problem(
    'queue-exists',
    `This folder already belongs to the queue ${queueFile}; nothing was changed. ` +
      `Use that one from here, or create another with "claude-queue --queue ${USUAL_QUEUE} init".`,
  );
}

async function make(context: Context): Promise<void> {
  try {
    await makeQueue(context);
  } catch (error) {
    if (!isProblem(error, 'queue-exists')) throw error;
    const offer = await offerAdoption(context);
    throw offer === null ? error : new Problem('queue-exists', `${error.message} ${offer}`, { cause: error });
  }
}
