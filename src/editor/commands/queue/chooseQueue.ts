import * as vscode from 'vscode';
import type { CommandName } from '../../commandIds';
import { isGone, type QueueState } from '../../state/queueState';
import type { Queues, WindowQueue } from '../../state/queues';
import { describeStatus } from '../../status/statusBarText';
import { FILE_GONE } from '../../status/unreadTexts';
import { hideIcons } from '../../hiddenLinks';
import { findCandidates } from './queueCandidates';
import { t } from '../../../platform/text/translate';

/**
 * Returns the queue on which a command without a row acts: the only one, that of the file, or the one that the user
 * chooses. Null: the user chose none.
 */
export async function chooseQueue(
  queues: Queues,
  name: CommandName,
  file: string | null,
): Promise<WindowQueue | null> {
  await queues.awaitFirstReads();
  const all = queues.all.map((queue) => {
    const { key, folder, queueFile, queueModel } = queue.services;
    return { key, folder, queueFile, state: queueModel.state, queue };
  });
  const candidates = findCandidates(all, name, file).map(({ queue }) => queue);
  const [first, ...others] = candidates;
  return first === undefined || others.length === 0 ? (first ?? null) : ask(candidates);
}

async function ask(candidates: readonly WindowQueue[]): Promise<WindowQueue | null> {
  const items = candidates.map((queue) => ({
    label: hideIcons(queue.services.name),
    description: hideIcons(describeChoice(queue.services.queueModel.state)),
    detail: hideIcons(queue.services.folder),
    queue,
  }));
  const title = t('Choose the Folder');
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: t('Queue of this folder') });
  return chosen?.queue ?? null;
}

function describeChoice(state: QueueState): string {
  return describeStatus(state)?.words ?? (isGone(state) ? FILE_GONE : t('no queue yet'));
}
