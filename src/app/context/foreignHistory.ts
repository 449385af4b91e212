import type { ForeignSummary } from '../../queue/foreignHistory';
import type { Problem } from '../../domain/problem';
import { isProblem } from '../../domain/problem';
import { formatTime, type Moment } from '../../domain/time/moment';
import { refuseInsideAttempt } from '../actions/attempts/insideAttempt';
import type { QueueContext } from './queueContext';
import { t } from '../../platform/text/translate';

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
    t('Adopt it only if you know who made it: its records of earlier attempts are passed to Claude.'),
  ];
}

function describeSummary(summary: ForeignSummary, moment: Moment): string[] {
  const { attempts, firstStartedAt, lastEndedAt, sessions, completed, holds, running } = summary;
  const number = attempts === 1 ? t('1 attempt') : t('{0} attempts', attempts);
  const [first, last] = [firstStartedAt, lastEndedAt].map((at) =>
    at === null ? null : formatTime(at, moment),
  );
  return [
    first && last ? t('{0}, from {1} to {2}.', number, first, last) : `${number}.`,
    `${describeCompleted(completed)}; ${describeSessions(sessions)}; ${describePauses(holds)}.`,
    ...(running.length === 0 ? [] : [t('Recorded as running: {0}.', running.join(', '))]),
  ];
}

function describeCompleted(number: number): string {
  return number === 1 ? t('1 task completed') : t('{0} tasks completed', number);
}

function describeSessions(number: number): string {
  return number === 1
    ? t('1 session of Claude Code to resume')
    : t('{0} sessions of Claude Code to resume', number);
}

function describePauses(number: number): string {
  return number === 1 ? t('1 pause') : t('{0} pauses', number);
}

/**
 * Adopts a history that was made elsewhere and returns a sentence about it: its attempts, times and sessions count from
 * now on.
 * @throws Problem `inside-run`, `already-running`
 */
export async function adoptForeign(queueContext: QueueContext): Promise<string> {
  await refuseInsideAttempt(queueContext, null, 'adopt a history');
  await (await queueContext.openForeignHistory()).adopt();
  return t('Adopted. Its attempts, times and sessions count from now on; rows still need your approval.');
}
