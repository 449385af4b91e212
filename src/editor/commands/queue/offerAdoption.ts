import * as vscode from 'vscode';
import {
  adopt,
  type Adoptable,
  describeAdoptable,
  describeAdopted,
  describeUndecided,
  findAdoptable,
  wouldRepeat,
} from '../../../app/actions/queue/adopt';
import type { QueueContext } from '../../../app/context/queueContext';
import type { Decision } from '../../../domain/task/scriptsHistory';
import type { TaskId } from '../../../domain/task/task';
import { systemClock } from '../../../platform/clock';
import { hideIcons } from '../../hiddenLinks';
import type { ExtensionServices } from '../../state/extensionServices';
import { t } from '../../../platform/text/translate';
import { showInformation, showWarning } from '../../messages';

/** Result of the offer; `declined` means that a start would repeat a task that already ran. */
export type OfferEnd = 'nothing' | 'adopted' | 'declined';

/** Offers to adopt the history that another program left beside the queue file, if there is one. */
export async function offerAdoption(services: ExtensionServices): Promise<OfferEnd> {
  const { queueContext, queue } = await services.queueModel.useQueue();
  const found = await findAdoptable(queueContext, queue);
  if (found === null) return 'nothing';
  const isNeeded = wouldRepeat(found, systemClock.now());
  const lines = [
    ...describeAdoptable(found, queueContext),
    ...(isNeeded ? [t('No task starts until then, because some would run again.')] : []),
  ];
  const adoptIt = t('Adopt History');
  const answer = await showWarning(
    t('Adopt the history of queue_manager.sh?'),
    { modal: true, detail: lines.join('\n') },
    adoptIt,
  );
  if (answer !== adoptIt) return isNeeded ? 'declined' : 'nothing';
  const decisions = await askWhatIsDone(found, queueContext);
  await services.queueModel.change((session) => adopt(session.queueContext, session.queue, found, decisions));
  void showInformation(describeAdopted(found, decisions).join(' '));
  return 'adopted';
}

/** Asks which tasks are done; those that are not picked stay in review. */
async function askWhatIsDone(
  { undecided }: Adoptable,
  queueContext: QueueContext,
): Promise<ReadonlyMap<TaskId, Decision>> {
  if (undecided.length === 0) return new Map();
  const { timeZone } = queueContext.configuration.last;
  const items = undecided.map((task) => ({
    label: hideIcons(describeUndecided(task, timeZone)),
    id: task.id,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: t('Which of these tasks are done?'),
    placeHolder: t('The others stay in review until you accept or retry them'),
  });
  return new Map((picked ?? []).map(({ id }) => [id, 'done']));
}
