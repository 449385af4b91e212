import type { ForeignSummary } from '../../queue/foreignHistory';
import type { Problem } from '../../domain/problem';
import { isProblem } from '../../domain/problem';
import { formatTime, type Moment } from '../../domain/time/moment';
import { refuseInsideAttempt } from '../actions/attempts/insideAttempt';
import type { QueueContext } from './queueContext';
import { count } from '../present/text';

/** Returns the error if the queue's history was made elsewhere; null if it is this user's own. */
export async function findForeign(queueContext: QueueContext): Promise<Problem | null> {
  try {
    await queueContext.withQueue(() => Promise.resolve());
    return null;
  } catch (error) {
    if (isProblem(error, 'state-foreign')) return error;
    throw error;
  }
}

/** Describes what adopting a history that `findForeign` found would import. Quotes none of its texts. */
export async function describeForeign(queueContext: QueueContext): Promise<string[]> {
  const summary = await (await queueContext.openForeignHistory()).summarize();
  const moment = queueContext.moment();
  return [
    ...describeSummary(summary, moment),
    'Adopt it only if you know who made it: its records of earlier attempts are passed to Claude.',
  ];
}

function describeSummary(summary: ForeignSummary, moment: Moment): string[] {
  const { attempts, firstStartedAt, lastEndedAt, sessions, completed, holds, running } = summary;
  const when =
    firstStartedAt === null || lastEndedAt === null
      ? ''
      : `, from ${formatTime(firstStartedAt, moment)} to ${formatTime(lastEndedAt, moment)}`;
  return [
    `${count(attempts, 'attempt')}${when}.`,
    `${count(completed, 'task')} completed; ${count(sessions, 'session')} of Claude Code to resume; ${count(holds, 'pause')}.`,
    ...(running.length === 0 ? [] : [`Recorded as running: ${running.join(', ')}.`]),
  ];
}

/**
 * Adopts a history that was made elsewhere and returns a sentence about it: its attempts, times and sessions count from
 * now on.
 * @throws Problem `inside-run`, `already-running`
 */
export async function adoptForeign(queueContext: QueueContext): Promise<string> {
  await refuseInsideAttempt(queueContext, null, 'adopt a history');
  await (await queueContext.openForeignHistory()).adopt();
  return 'Adopted. Its attempts, times and sessions count from now on; rows still need your approval.';
}
