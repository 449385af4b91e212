import * as vscode from 'vscode';
import { callCommand } from '../callCommand';
import type { ExtensionServices } from '../state/extensionServices';
import { describeCommand, type ListedCommands } from '../state/listedCommands';
import { findOwnCommands } from '../state/ownCommands';
import { hideIcons } from '../hiddenLinks';
import { planMenu, SECTION_TITLES, type MenuEntry } from './queueMenu';
import { describeStatus } from './statusBarText';
import { addFolderName } from '../state/folderName';
import { t } from '../../platform/text/translate';

interface Item extends vscode.QuickPickItem {
  readonly entry?: MenuEntry;
}

/** Lists what matters now, and carries out what the user chooses. */
export async function showMenu(services: ExtensionServices): Promise<void> {
  const { state } = services.queueModel;
  const entries = planMenu(state, {
    isTrusted: vscode.workspace.isTrusted,
    hasFile: services.queueFile !== null,
  });
  const chosen = await vscode.window.showQuickPick(toItems(entries, findOwnCommands(services)), {
    title: addFolderName(services, 'Claude Queue'),
    placeHolder: describeStatus(state)?.spoken.replace(/^Claude Queue: /, '') ?? t('No queue'),
    matchOnDescription: true,
  });
  if (chosen?.entry === undefined) return;
  const { command, taskId } = chosen.entry;
  await callCommand(services, command, taskId);
}

function toItems(entries: readonly MenuEntry[], listed: ListedCommands): Item[] {
  return entries.flatMap((entry, index) => {
    const { section, command, label, description } = entry;
    const isFirst = entries[index - 1]?.section !== section;
    const { title, icon } = describeCommand(command, listed);
    const item: Item = {
      entry,
      label: hideIcons(label ?? title),
      ...(description === undefined ? {} : { description: hideIcons(description) }),
      ...(icon === null ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
    };
    return isFirst
      ? [{ label: SECTION_TITLES[section], kind: vscode.QuickPickItemKind.Separator }, item]
      : [item];
  });
}
