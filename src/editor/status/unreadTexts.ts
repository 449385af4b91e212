import { isGone, listUnreadWorkers, type QueueState } from '../state/queueState';
import { t } from '../../platform/text/translate';

const NO_QUEUE = t('This workspace has no queue yet. Create one with "Create Queue".');

/** Message for a queue that the window does not show any more. */
export const FOLDER_GONE = t('The folder of this queue is no longer in the workspace.');

/** Words for a queue whose file is not there any more. */
export const FILE_GONE = t('queue file is gone');

/** Words for a worker that runs all the same. */
export const WORKER_WITHOUT_FILE = t('Worker runs, queue file is gone');

/** Describes why there is no queue: there was none, or its file is gone. */
export function explainMissing(state: QueueState): string {
  return isGone(state) ? explainGone(state).join(' ') : NO_QUEUE;
}

/** Describes what a queue file that is gone means for its tasks, and which workers run without it. */
export function explainGone(state: QueueState): readonly string[] {
  return [...nameUnreadWorkers(state), AFTER_GONE];
}

/** Returns the sentence about the workers that run although the queue cannot be read, if any. */
export function nameUnreadWorkers(state: QueueState): readonly string[] {
  const workers = listUnreadWorkers(state).join(', ');
  return workers === '' ? [] : [t('Running workers: {0}.', workers)];
}

const AFTER_GONE = t(
  'The queue file claude_queue/prompts.csv is gone. Put it back to see its tasks: their history is kept. No task starts without it; one that runs finishes.',
);
