import * as vscode from 'vscode';
import type { Checked, Remedy } from '../../../app/checks/checked';
import { checkWhole } from '../../../app/checks/wholeCheck';
import { formatSecond } from '../../../domain/time/localTime';
import { t } from '../../../platform/text/translate';
import type { CommandName } from '../../commandIds';
import { callCommand } from '../../callCommand';
import { locateQueue } from '../../commands/queue/closedQueue';
import { offerAdoption } from '../../commands/queue/offerAdoption';
import type { ExtensionServices } from '../../state/extensionServices';
import type { QueueState } from '../../state/queueState';
import { showSetting } from '../../status/failures';
import { explainMissing } from '../../status/unreadTexts';
import { showProgress } from '../../status/progress';
import type { PageActions } from '../page';
import { drawCheck } from './checkHtml';
import { FINDINGS_STYLE } from './findingsStyle';
import { openPlace } from './openPlace';

const TITLE = t('Check This Machine');

/** Shows on a page what the queue needs of this machine, and how to fix what is missing. */
export async function showCheckPage(services: ExtensionServices): Promise<void> {
  const page = services.pages.prepare('check', TITLE);
  // Claude Code may have changed, which may be why the user asks.
  await services.queueModel.reopen();
  const queueContext = await locateQueue(services);
  const found = await showProgress(t('Checking this machine…'), checkWhole(queueContext));
  const all = found.map((one) => wordForEditor(one, services.queueModel.state));
  const { host, configuration } = queueContext;
  const time = formatSecond(host.clock.now(), configuration.last.timeZone);
  const body = drawCheck(all, { folder: services.folder, time });
  await page().show({ title: TITLE, body, style: FINDINGS_STYLE }, actionsFor(services, all));
}

/** Says in an editor's words what the engine says for a terminal: that there is no queue, and that Node is too old. */
function wordForEditor(one: Checked, state: QueueState): Checked {
  switch (one.remedy?.kind) {
    case 'create-queue':
      return { ...one, message: explainMissing(state) };
    case 'show-versions':
      return { ...one, message: t('The Node of this editor is too old. Update the editor.') };
    default:
      return one;
  }
}

function actionsFor(services: ExtensionServices, all: readonly Checked[]): PageActions {
  return {
    refresh: () => showCheckPage(services),
    open: async ({ value }) => {
      const at = all[Number(value)]?.at;
      if (at !== undefined) await openPlace(services, at);
    },
    fix: async ({ value }) => {
      const remedy = all[Number(value)]?.remedy;
      if (remedy === undefined) return;
      if (await carryOut(services, remedy)) await showCheckPage(services);
    },
  };
}

/** Commands that have fixed the finding when they end. */
const COMMANDS = {
  'adopt-foreign': 'adoptHistory',
  'create-queue': 'createQueue',
  resume: 'resume',
  'sign-in': 'signIn',
  'start-worker': 'start',
} as const satisfies Partial<Record<Remedy['kind'], CommandName>>;

/** Does what fixes a finding, or lets the user do it. Returns whether it may be fixed now. */
async function carryOut(services: ExtensionServices, remedy: Remedy): Promise<boolean> {
  switch (remedy.kind) {
    case 'edit-task':
      await callCommand(services, 'editTask', remedy.id);
      return false;
    case 'choose-claude':
      await showSetting('claudeQueue.claude');
      return false;
    case 'choose-permissions':
      await showSetting('claudeQueue.permissionMode');
      return false;
    case 'open-setting':
      await showSetting(remedy.name);
      return false;
    case 'adopt-scripts':
      return (await offerAdoption(services)) === 'adopted';
    case 'copy-command':
    case 'copy-name':
      await vscode.env.clipboard.writeText(remedy.text);
      vscode.window.setStatusBarMessage(t('Copied: {0}', remedy.text), 5_000);
      return false;
    case 'show-versions':
      await vscode.commands.executeCommand('workbench.action.showAboutDialog');
      return false;
    case 'update-extension':
      await vscode.commands.executeCommand('workbench.extensions.action.checkForUpdates');
      return false;
    case 'open-terminal':
      vscode.window.createTerminal({ cwd: remedy.folder }).show();
      return false;
    default:
      await callCommand(services, COMMANDS[remedy.kind]);
      return true;
  }
}
