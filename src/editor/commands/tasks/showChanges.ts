import * as vscode from 'vscode';
import { findChanges } from '../../../app/actions/attempts/attemptChanges';
import { describeMissing } from '../../../app/present/attemptChanges';
import { describeDiffOf } from '../../../app/present/counts';
import { possibleActions } from '../../../app/viewModel/possibleActions';
import { hasDiff } from '../../../domain/task/attemptFacts';
import type { TaskId } from '../../../domain/task/task';
import { formatMinute } from '../../../domain/time/localTime';
import { openChanges } from '../../changes/openChanges';
import type { ExtensionServices } from '../../state/extensionServices';
import type { OpenedQueue } from '../../state/openedQueue';
import { attemptOf, chooseTask } from './taskTarget';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

/** Shows what an attempt of a task changed, file by file. */
export async function showChanges(services: ExtensionServices, target: unknown): Promise<void> {
  const session = await services.queueModel.useQueue();
  const suits = (shown: Parameters<typeof possibleActions>[0]): boolean =>
    possibleActions(shown).has('showChanges');
  const id = await chooseTask(services, target, { title: t('Show Changes'), suits });
  if (id === null) return;
  await session.use(async () => {
    const number = attemptOf(target) ?? (await chooseAttempt(session, id));
    if (number === null) return;
    const { queueContext, queue } = session;
    const found = await findChanges(queueContext, queue, id, number);
    if (found.missing === null) await openChanges(queueContext, found, services.review.diffs);
    else void showInformation(describeMissing(found));
  });
}

/**
 * Returns the number of the attempt that changed files; of several, the one that the user chooses. Null: they chose
 * none. Undefined: there is none.
 */
async function chooseAttempt(
  { queueContext, queue }: OpenedQueue,
  id: TaskId,
): Promise<number | null | undefined> {
  const attempts = await queue.attempts({ id });
  const { timeZone } = await queueContext.configure();
  const items = attempts.filter(hasDiff).map((attempt) => ({
    label: t('Attempt {0}', attempt.number),
    description: `${describeDiffOf(attempt)} · ${formatMinute(attempt.startedAt, timeZone)}`,
    number: attempt.number,
  }));
  if (items.length < 2) return items[0]?.number;
  const title = t('Show Changes: task {0}', id);
  return (await vscode.window.showQuickPick(items, { title }))?.number ?? null;
}
