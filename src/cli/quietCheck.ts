import { describeError } from '../app/present/problems/problem';
import { listNeeds } from '../app/notify/attention';
import { findAdoptable } from '../app/actions/queue/adopt';
import { buildViewModel } from '../app/viewModel/queueViewModel';
import { describeScripts } from '../app/context/scripts';
import { count } from '../app/present/text';
import { isProblem } from '../domain/problem';
import { firstLine } from '../platform/text/plainText';
import type { Context } from './context';
import { FAILED, OK } from './exitCodes';
import { quoteCommand } from '../platform/text/commandName';

/**
 * Prints one line if something is wrong or needs attention, else nothing: for a shell prompt. Starts no program, and
 * therefore does not know the account's gate.
 */
export async function checkQuietly(context: Context): Promise<number> {
  const needs = await findNeeds(context.forReading());
  if (needs.length === 0) return OK;
  context.system.out(`claude-queue: ${needs.join('; ')}`);
  return FAILED;
}

async function findNeeds(context: Context): Promise<string[]> {
  try {
    return await context.withQueue(async (queue) => {
      const wrong = (await context.configure()).problems.length;
      const scripts = describeScripts(context);
      return [
        ...(wrong === 0 ? [] : [`${count(wrong, 'setting')} cannot be read`]),
        ...(scripts === null ? [] : [scripts]),
        ...((await findAdoptable(context, queue)) === null ? [] : [`run ${quoteCommand('adopt')}`]),
        ...listNeeds(await buildViewModel(context, queue)),
      ];
    });
  } catch (error) {
    if (!isProblem(error)) throw error;
    // A shell prompt is shown in every folder.
    return error.reason === 'queue-missing' ? [] : [firstLine(describeError(error))];
  }
}
