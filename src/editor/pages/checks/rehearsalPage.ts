import * as vscode from 'vscode';
import type { Rehearsed } from '../../../app/checks/rehearsal';
import { takeRehearsal } from '../../../app/checks/takeRehearsal';
import { placeOf } from '../../../domain/task/place';
import { formatMinute } from '../../../domain/time/localTime';
import { t } from '../../../platform/text/translate';
import type { CommandName } from '../../commandIds';
import { callCommand } from '../../callCommand';
import type { ExtensionServices } from '../../state/extensionServices';
import type { PageActions } from '../page';
import type { PageMessage } from '../pageMessage';
import { FINDINGS_STYLE } from './findingsStyle';
import { drawRehearsal } from './rehearsalHtml';

const TITLE = t('Dry Run');

/** Shows on a page which of tonight's tasks never finished with their current permissions, and what was refused. Runs nothing. */
export async function showRehearsalPage(services: ExtensionServices): Promise<void> {
  const page = services.pages.prepare('rehearsal', TITLE);
  const session = await services.queueModel.useQueue();
  const { host, configuration } = session.queueContext;
  const rehearsed = await session.use(() => takeRehearsal(session.queueContext, session.queue));
  const body = drawRehearsal(rehearsed, formatMinute(host.clock.now(), configuration.last.timeZone));
  await page().show({ title: TITLE, body, style: FINDINGS_STYLE }, actionsFor(services, rehearsed));
}

function actionsFor(services: ExtensionServices, rehearsed: readonly Rehearsed[]): PageActions {
  const show = (): Promise<void> => showRehearsalPage(services);
  const call =
    (name: CommandName, then: () => Promise<void>) =>
    async ({ value }: PageMessage): Promise<void> => {
      await callCommand(services, name, Number(value));
      await then();
    };
  return {
    refresh: show,
    row: ({ value }) => callCommand(services, 'showRow', { taskId: Number(value) }),
    edit: call('editTask', () => Promise.resolve()),
    approve: call('approve', show),
    allow: call('allowTools', show),
    trust: async ({ value }) => {
      const found = rehearsed.find(({ shown }) => String(shown.task.definition.id) === value);
      if (found !== undefined) await openClaude(services, placeOf(found.shown.task.definition).folder);
    },
  };
}

/** Opens Claude Code in a folder, where it asks whether the user trusts the folder. */
async function openClaude({ queueModel }: ExtensionServices, folder: string): Promise<void> {
  const { queueContext } = await queueModel.useQueue();
  const { path } = await queueContext.findClaude();
  const terminal = vscode.window.createTerminal({
    name: t('Trust Folder'),
    shellPath: path,
    cwd: folder,
    iconPath: new vscode.ThemeIcon('workspace-trusted'),
  });
  terminal.show();
}
