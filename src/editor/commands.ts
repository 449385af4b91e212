import * as vscode from 'vscode';
import { COMMANDS, commandId, READ_COMMANDS, type CommandName } from './commandIds';
import { findDiffTarget } from './changes/diffTarget';
import { isObject } from '../platform/text/shapes';
import type { ExtensionServices } from './state/extensionServices';
import type { Queues, WindowQueue } from './state/queues';
import { groupTargets, type TargetGroup } from './state/queueTarget';
import { showFailure } from './status/failures';
import { t } from '../platform/text/translate';

/**
 * Refuses a command in an untrusted workspace. Menus hide it there, but it can also be called by its id.
 * @throws Problem `untrusted`
 */
async function requireTrust(): Promise<void> {
  if (vscode.workspace.isTrusted) return;
  const { Problem } = await import('../domain/problem');
  throw new Problem(
    'untrusted',
    t('This workspace is not trusted: its queue can be read, but nothing runs.'),
  );
}

/** Argument of a key binding for the rows of the tree that it acts on. */
const KEY = 'key';

/** Runs an action of the user. In an untrusted workspace only what reads. Shows why it failed. */
export async function runSafely(
  services: ExtensionServices,
  name: CommandName | 'drop',
  action: () => Promise<void>,
): Promise<void> {
  services.log.info(`Command ${name}`);
  try {
    if (!READ_COMMANDS.some((one) => one === name)) await requireTrust();
    await action();
  } catch (error) {
    await showFailure(services, name, error);
  }
}

/** Returns all rows that are meant: VS Code passes the clicked one, and the selected ones if it is among several. */
function targetsOf(target: unknown, selected: unknown): readonly unknown[] {
  if (Array.isArray(selected) && selected.length > 0) return selected;
  return target === undefined ? [] : [target];
}

/** Commands that concern the window, not one of its queues. */
const OF_WINDOW: readonly CommandName[] = [
  'groupBy',
  'filter',
  'clearFilter',
  'addComment',
  'continueWithComments',
  'editComment',
  'saveComment',
  'cancelEdit',
  'deleteComment',
  'showLog',
];

/** Returns the queue on which a command acts; null if the user chose none. @throws Problem `queue-missing` */
async function findQueue(
  queues: Queues,
  name: CommandName,
  { queue, targets: [target] }: TargetGroup,
): Promise<WindowQueue | null> {
  const [first, ...others] = queues.all;
  if (queue === null) {
    if (first === undefined || others.length === 0 || OF_WINDOW.includes(name)) return first ?? null;
    const { chooseQueue } = await import('./commands/queue/chooseQueue');
    return chooseQueue(queues, name, fileOf(name, target));
  }
  const found = queues.find(queue);
  if (found !== undefined) return found;
  const { Problem } = await import('../domain/problem');
  const { FOLDER_GONE } = await import('./status/unreadTexts');
  throw new Problem('queue-missing', FOLDER_GONE);
}

/**
 * Returns the file or folder for which a command is called: that of the menu, quick fix or terminal, else the file in the
 * active editor.
 */
function fileOf(name: CommandName, target: unknown): string | null {
  const { uri = target } = isObject(target) ? target : {};
  const { activeTerminal, activeTextEditor } = vscode.window;
  const inTerminal = name === 'addFromTerminal' ? activeTerminal?.shellIntegration?.cwd : undefined;
  const found = uri instanceof vscode.Uri ? uri : (inTerminal ?? activeTextEditor?.document.uri);
  return found?.scheme === 'file' ? found.fsPath : null;
}

/** Registers every command of the manifest. */
export function registerCommands(
  queues: Queues,
  window: Pick<ExtensionServices, 'log' | 'findKeyTargets' | 'review'>,
): vscode.Disposable {
  const call = async (name: CommandName, group: TargetGroup): Promise<void> => {
    const queue = await findQueue(queues, name, group);
    if (queue === null) return;
    const { targets } = group;
    await runSafely(queue.services, name, async () => {
      const { HANDLERS } = await import('./commands/handlers');
      await HANDLERS[name](queue.services, targets[0], targets);
    });
  };
  const callAll = async (name: CommandName, target: unknown, selected: unknown): Promise<void> => {
    const onDiff = await findDiffTarget(window.review, target);
    const others = target === KEY ? await window.findKeyTargets() : targetsOf(target, selected);
    const targets = onDiff === null ? others : [onDiff];
    const groups = groupTargets(targets);
    if (groups.length === 0) await call(name, { queue: null, targets: [] });
    // The rows of each queue one after another: the user may be asked for each.
    for (const group of groups) await call(name, group);
  };
  const register = (name: CommandName): vscode.Disposable =>
    vscode.commands.registerCommand(commandId(name), (target: unknown, selected: unknown) =>
      callAll(name, target, selected).catch((error: unknown) => showFailure(window, name, error)),
    );
  return vscode.Disposable.from(...COMMANDS.map(register));
}
