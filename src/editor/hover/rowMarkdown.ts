import * as vscode from 'vscode';
import { READ_COMMANDS } from '../commandIds';
import { bindTarget } from '../state/queueTarget';
import { describeCommand } from '../state/listedCommands';
import { findOwnCommands } from '../state/ownCommands';
import type { WindowServices } from '../state/services';
import type { TreeRow } from '../tree/rows/treeRow';
import { describeTask } from './taskMarkdown';
import { toMarkdown } from './trustedMarkdown';

/** Describes a row of the tree in a hover, with its actions. */
export async function describeRow(
  services: Pick<WindowServices, 'key' | 'queueModel' | 'program'>,
  { taskId, label, details = [label], actions = [], forecast }: TreeRow,
): Promise<vscode.MarkdownString> {
  const found = typeof taskId === 'number' ? await describeTask(services, taskId, forecast) : null;
  if (found !== null) return found;
  const [title, ...lines] = details;
  const listed = findOwnCommands(services);
  const { isTrusted } = vscode.workspace;
  const target = [bindTarget(services.key)];
  const links = actions
    .filter((command) => isTrusted || READ_COMMANDS.includes(command))
    .map((command) => ({ command, title: describeCommand(command, listed).title, arguments: target }));
  return toMarkdown({ ...(title === undefined ? {} : { title }), lines, links });
}
