import { isProblem } from '../../../domain/problem';
import type { TaskQueue } from '../../../queue/taskQueue';
import { refuseInsideAttempt } from '../attempts/insideAttempt';
import { endLeftoverAttempts, type Report } from '../attempts/leftoverAttempts';
import type { QueueContext } from '../../context/queueContext';
import { t } from '../../../platform/text/translate';

const WHAT = 'archive the history';

/**
 * Archives the history of a queue and returns a sentence with the place of the archive. Ends leftover processes of dead
 * workers first. A history that was made elsewhere is archived whole, without being read.
 * @throws Problem `inside-run`, `already-running`
 */
export async function resetQueue(queueContext: QueueContext, report: Report): Promise<string> {
  try {
    return await queueContext.withQueue((queue) => resetOwn(queueContext, queue, report));
  } catch (error) {
    if (!isProblem(error, 'state-foreign')) throw error;
    await refuseInsideAttempt(queueContext, null, WHAT);
    const archive = await (await queueContext.openForeignHistory()).archive();
    return t('The history is now in {0}. It is no longer used.', archive);
  }
}

async function resetOwn(queueContext: QueueContext, queue: TaskQueue, report: Report): Promise<string> {
  await refuseInsideAttempt(queueContext, queue, WHAT);
  await endLeftoverAttempts(queueContext, queue, report);
  const archive = await queue.reset();
  // The outputs of a queue in Redis are on the machines of its workers.
  const moved =
    queueContext.redis === null
      ? t('Attempts, logs and outputs are now in {0}.', archive)
      : t('Attempts are now in {0}.', archive);
  return `${moved} ${t('Pauses, due times, the budget, sessions and tasks in review are unchanged.')}`;
}
