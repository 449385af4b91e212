import { resetQueue } from '../../../app/actions/queue/resetQueue';
import type { ExtensionServices } from '../../state/extensionServices';
import { isForeign } from '../../state/queueState';
import { locateQueue } from './closedQueue';
import { t } from '../../../platform/text/translate';
import { showInformation, showWarning } from '../../messages';

const OWN = t(
  'Attempts, logs and outputs move into state/archive; nothing is deleted. Rows, pauses, due times, the budget and sessions are unchanged.',
);

const SHARED = t(
  'Attempts move into an archive in Redis, for everyone who uses this queue; nothing is deleted. Rows, pauses, due times, the budget and sessions are unchanged.',
);

const FOREIGN = t(
  'All of it moves into state/archive, unread; nothing is deleted. Rows are unchanged, and the queue starts without a history.',
);

function describeOwn({ queueModel }: ExtensionServices): string {
  return isForeign(queueModel.state) ? FOREIGN : OWN;
}

/** Archives history, logs and outputs, after a yes. @throws Problem `already-running` */
export async function resetHistory(services: ExtensionServices): Promise<void> {
  const queueContext = await locateQueue(services);
  const archive = t('Archive History');
  const answer = await showWarning(
    t('Archive the history of this queue?'),
    { modal: true, detail: services.redis === null ? describeOwn(services) : SHARED },
    archive,
  );
  if (answer !== archive) return;
  try {
    const done = await resetQueue(queueContext, (sentence) => {
      services.log.info(sentence);
    });
    void showInformation(done);
  } finally {
    await services.queueModel.reopen();
  }
}
