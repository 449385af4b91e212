import * as fs from 'node:fs/promises';
import { isUserHere } from '../../../domain/queue/view';
import { replaceDurably } from '../../../platform/files/files';
import type { TaskQueue } from '../../../queue/taskQueue';
import { claimForUser, isRunning, takeAgain, type UserClaim, type UserClaimResult } from './userClaim';
import { formatNextTask, readNextTaskId } from './nextTaskFile';
import type { QueueContext } from '../../context/queueContext';

/**
 * Claims the next task for the user, or returns the one that they already have, and writes NEXT_TASK.md. If there is no
 * task, returns the reason and removes the file.
 */
export async function claimNext(queueContext: QueueContext, queue: TaskQueue): Promise<UserClaimResult> {
  const result = (await reclaimUserTask(queueContext, queue)) ?? (await claimForUser(queueContext, queue));
  if (result.kind === 'claimed')
    await replaceDurably(queueContext.paths.nextTask, formatNextTask(result.definition, result.place));
  else await fs.rm(queueContext.paths.nextTask, { force: true });
  return result;
}

/**
 * Claims again the task that the user of this machine already has; null if there is none. Skips tasks that Claude Code
 * is running in a terminal and tasks whose rows were removed.
 */
async function reclaimUserTask(queueContext: QueueContext, queue: TaskQueue): Promise<UserClaim | null> {
  const { claims, tasks } = await queue.read();
  const userClaims = claims.filter(
    (claim) =>
      isUserHere(claim.owner, { machine: queueContext.machine.id }) &&
      !isRunning(queueContext, claim) &&
      tasks.some(({ state }) => state.id === claim.id),
  );
  const shown = await readNextTaskId(queueContext.paths.nextTask);
  const claim = userClaims.find(({ id }) => id === shown) ?? userClaims[0];
  if (claim === undefined) return null;
  const result = await takeAgain(queueContext, queue, claim);
  // After an edit the task may have to wait: the user no longer has it, and another one is next.
  return result.kind === 'claimed' ? result : null;
}
