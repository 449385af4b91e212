import type * as vscode from 'vscode';
import { callCommand } from '../callCommand';
import type { ExtensionServices } from '../state/extensionServices';
import type { QueueState } from '../state/queueState';
import { t } from '../../platform/text/translate';
import { showWarning } from '../messages';

/** Shows once, with a button for the password, that Redis refuses this window. */
export function askForPassword(services: ExtensionServices): vscode.Disposable {
  const { queueModel } = services;
  let wasShown = false;
  const show = (state: QueueState): void => {
    if (wasShown || state.kind !== 'failing' || state.redis !== 'refused') return;
    wasShown = true;
    void offerPassword(services, state.message);
  };
  show(queueModel.state);
  return queueModel.onDidChange(show);
}

async function offerPassword(services: ExtensionServices, message: string): Promise<void> {
  const chosen = await showWarning(message, t('Set Redis Password…'));
  if (chosen !== undefined) await callCommand(services, 'setRedisPassword');
}
