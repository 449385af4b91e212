import { adoptForeign, describeForeign, findForeign } from '../../../app/context/foreignHistory';
import type { ExtensionServices } from '../../state/extensionServices';
import { locateQueue } from './closedQueue';
import { t } from '../../../platform/text/translate';
import { showInformation, showWarning } from '../../messages';

/** Describes a history that was made elsewhere, and adopts it after a yes. @throws Problem `already-running` */
export async function adoptHistory(services: ExtensionServices): Promise<void> {
  const queueContext = await locateQueue(services);
  try {
    if ((await findForeign(queueContext)) === null) return;
    const adopt = t('Adopt History');
    const answer = await showWarning(
      t('Adopt the history from another machine or user?'),
      { modal: true, detail: (await describeForeign(queueContext)).join('\n') },
      adopt,
    );
    if (answer === adopt) void showInformation(await adoptForeign(queueContext));
  } finally {
    await services.queueModel.reopen();
  }
}
