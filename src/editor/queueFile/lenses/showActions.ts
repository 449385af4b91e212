import * as vscode from 'vscode';
import { shorten } from '../../../app/present/text';
import type { TaskId } from '../../../domain/task/task';
import type { CommandName } from '../../commandIds';
import { callCommand } from '../../callCommand';
import { chooseTask } from '../../commands/tasks/taskTarget';
import type { ExtensionServices } from '../../state/extensionServices';
import { findOwnCommands } from '../../state/ownCommands';
import { isQueueFile } from '../../state/queuePlace';
import { hideIcons } from '../../hiddenLinks';
import type { TextPosition } from '../document/textRange';
import { parseOpen } from '../document/openDocuments';
import { describeState } from './stateSentence';
import { listTaskCommands, type TaskCommand } from './likelyActions';
import { addFolderName } from '../../state/folderName';
import { t } from '../../../platform/text/translate';

const TITLE = t('Show Task Actions');

/** Characters of a prompt in the title of the list. */
const WIDTH = 60;

/**
 * Lists the actions that are possible for a task, and carries out the one that the user chooses. For the place of a
 * problem it lists the fixes.
 */
export async function showActions(services: ExtensionServices, target: unknown): Promise<void> {
  if (isPosition(target)) return showFixes(target);
  const session = await services.queueModel.useQueue();
  const id = await chooseTask(services, target ?? taskAtCursor(services), {
    title: TITLE,
    // Every task has actions: its row can be edited.
    suits: () => true,
  });
  if (id === null) return;
  const { tasks, world } = await session.use(() => session.look());
  const shown = tasks.find(({ task }) => task.definition.id === id);
  if (shown === undefined) return;
  const chosen = await vscode.window.showQuickPick(
    toItems(listTaskCommands(shown, findOwnCommands(services))),
    {
      title: addFolderName(
        services,
        hideIcons(t('Task {0}: {1}', id, shorten(shown.task.definition.prompt, WIDTH))),
      ),
      placeHolder: describeState(shown, world),
    },
  );
  if (chosen?.command === undefined) return;
  await callCommand(services, chosen.command, id);
}

function isPosition(target: unknown): target is TextPosition {
  return typeof target === 'object' && target !== null && 'line' in target && 'character' in target;
}

/** Lists the fixes for a problem of the active editor. */
async function showFixes({ line, character }: TextPosition): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const at = new vscode.Position(line, character);
  editor.selection = new vscode.Selection(at, at);
  await vscode.commands.executeCommand('editor.action.quickFix');
}

interface CommandItem extends vscode.QuickPickItem {
  readonly command?: CommandName;
}

function toItems(commands: readonly TaskCommand[]): CommandItem[] {
  const likely = commands.filter(({ isLikely }) => isLikely);
  const others = commands.filter(({ isLikely }) => !isLikely);
  const separator = { label: t('Other Actions'), kind: vscode.QuickPickItemKind.Separator };
  const toItem = ({ title, icon, command }: TaskCommand): CommandItem => ({
    label: title,
    command,
    ...(icon === null ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
  });
  return [
    ...likely.map(toItem),
    ...(likely.length > 0 && others.length > 0 ? [separator] : []),
    ...others.map(toItem),
  ];
}

/**
 * Returns the task of the row in which the cursor is; undefined if that is no row of the queue file, or its id is
 * double.
 */
function taskAtCursor({ queueFile }: ExtensionServices): TaskId | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isQueueFile(editor.document.uri, queueFile)) return undefined;
  const document = parseOpen(editor.document);
  const id = document.rowAt(editor.selection.active.line)?.id ?? null;
  return id === null || document.isDouble(id) ? undefined : id;
}
