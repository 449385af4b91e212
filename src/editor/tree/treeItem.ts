import * as vscode from 'vscode';
import { COMMANDS, commandId } from '../commandIds';
import { settingCommand } from '../settingCommand';
import { markUri } from './rowMarks';
import { speakRow } from './rows/spokenRow';
import type { RowCommand, TreeRow } from './rows/treeRow';

/** Returns what VS Code draws for a row. */
export function toTreeItem(row: TreeRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, stateOf(row));
  item.id = row.key;
  item.description = row.description;
  item.contextValue = (row.traits ?? []).join(' ');
  item.accessibilityInformation = { label: speakRow(row) };
  if (row.icon !== undefined) item.iconPath = toIcon(row.icon);
  // Otherwise `resolveTreeItem` makes the hover on request.
  if (!hasActions(row)) item.tooltip = (row.details ?? [row.label]).join('\n');
  if (row.mark !== undefined) item.resourceUri = markUri(row.key, row.mark);
  if (row.command !== undefined) item.command = toCommand(row.command);
  return item;
}

/** Whether the hover of a row has links. */
function hasActions({ traits = [], actions = [] }: TreeRow): boolean {
  return traits.includes('task') || actions.length > 0;
}

function stateOf({ children, isOpen }: TreeRow): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (children === undefined || children.length === 0) return None;
  return isOpen === true ? Expanded : Collapsed;
}

function toIcon([icon, color]: NonNullable<TreeRow['icon']>): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function toCommand({ command, title, file, setting, arguments: given = [] }: RowCommand): vscode.Command {
  if (setting !== undefined) return { title, ...settingCommand(setting) };
  const own = COMMANDS.find((name) => name === command);
  return {
    command: own === undefined ? command : commandId(own),
    title,
    arguments: file === undefined ? [...given] : [vscode.Uri.file(file)],
  };
}
