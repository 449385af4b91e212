import { isProblem, type ProblemReason } from '../../../domain/problem';
import { nameWorker } from '../../../domain/queue/view';
import type { StopHow } from '../../../domain/queue/workerStop';
import { quoteCommand } from '../../../platform/text/commandName';
import { t } from '../../../platform/text/translate';
import { GIVE_UP_MS } from '../../../worker/retryUntilWritten';
import type { QueueContext } from '../../context/queueContext';
import { describeError } from '../../present/problems/problem';
import { NO_WORKER } from '../../present/workers';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import type { Report } from '../attempts/leftoverAttempts';
import { describeSilent, SLACK_MS, stopQueue } from './stopQueue';

/**
 * Stops the workers of a queue, even if it cannot be read now. Returns whether all running attempts ended, or need not
 * end now.
 * @throws Problem `inside-run`
 */
export async function stopWorkers(
  queueContext: QueueContext,
  how: StopHow,
  report: Report,
): Promise<boolean> {
  try {
    return await queueContext.withQueue((queue) => stopQueue(queueContext, queue, how, report));
  } catch (error) {
    const why = await whyUnread(queueContext, error);
    if (why === null) throw error;
    return stopUnread(queueContext, why, { how, report });
  }
}

/** Problems of a queue in a file that leave its history readable. */
const UNREAD: readonly ProblemReason[] = ['queue-unreadable', 'settings-invalid'];

/**
 * Returns why workers run although the rows cannot be read; null: the problem is another, or nothing must be done but
 * report it.
 */
async function whyUnread(queueContext: QueueContext, error: unknown): Promise<string | null> {
  const { redis, paths } = queueContext;
  if (redis !== null || !isProblem(error)) return null;
  if (error.reason === 'queue-missing') return paths.isFileGone ? FILE_IS_GONE : null;
  if (!UNREAD.includes(error.reason)) return null;
  return (await queueContext.findLivingOwners()).length === 0 ? null : describeError(error);
}

/** Reason for a queue whose file is not there any more. */
export const FILE_IS_GONE = t('The queue file is gone.');

/**
 * Stops the workers of a queue that cannot be read. They read no request, so with `now` each is ended as by Ctrl+C in its
 * terminal; the next worker resumes its task. Returns whether none runs.
 * @throws Problem `inside-run`; `state-foreign` and others if its state folder must not be used
 */
export async function stopUnread(
  queueContext: QueueContext,
  why: string,
  { how, report }: { readonly how: StopHow; readonly report: Report },
): Promise<boolean> {
  await refuseInsideAttempt(queueContext, null, 'stop workers');
  const owners = await queueContext.findLivingOwners();
  const names = owners.map(nameWorker).join(', ');
  if (owners.length === 0) {
    report(NO_WORKER);
    return true;
  }
  if (how === 'after-task') {
    report(
      t(
        '{0} Its workers cannot be asked to stop: {1}. End them with {2}.',
        why,
        names,
        quoteCommand('stop --now'),
      ),
    );
    return false;
  }
  report(t('{0} Ending its workers: {1}. The next worker resumes their tasks.', why, names));
  const { host, machine } = queueContext;
  // A worker also tries to record the end of its attempts although it cannot read the queue.
  const graceMs = (await findGrace(queueContext)) + GIVE_UP_MS + SLACK_MS;
  await Promise.all(
    owners.map(({ process }) => host.processes.endTree(process, { graceMs, clock: host.clock })),
  );
  const silent = await queueContext.findLivingOwners();
  for (const owner of silent) report(describeSilent({ owner, runs: [] }, machine.id));
  if (silent.length === 0) report(t('All workers have ended.'));
  return silent.length === 0;
}

/** Returns the setting `stopGrace`, in ms; its default if the settings cannot be read. */
async function findGrace(queueContext: QueueContext): Promise<number> {
  try {
    return (await queueContext.configure()).settings.stopGrace;
  } catch (error) {
    if (!isProblem(error, 'settings-invalid')) throw error;
    return queueContext.configuration.last.settings.stopGrace;
  }
}
