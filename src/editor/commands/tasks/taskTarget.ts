import * as vscode from 'vscode';
import { isUserHere } from '../../../domain/queue/view';
import type { TaskViewModel } from '../../../app/viewModel/queueViewModel';
import { STATE_NAMES } from '../../../app/present/reasons/stateNames';
import { shorten } from '../../../app/present/text';
import type { TaskId } from '../../../domain/task/task';
import { hideIcons } from '../../hiddenLinks';
import { addFolderName } from '../../state/folderName';
import type { WindowServices } from '../../state/services';
import { t } from '../../../platform/text/translate';
import { showInformation } from '../../messages';

const WIDTH = 80;

/** Services to let the user choose a task. */
export type Chooser = Pick<WindowServices, 'queueModel' | 'name' | 'redis'>;

/** Returns the id of the task on which the tree, a lens or another command called a command; null if there is none. */
export function idOf(target: unknown): TaskId | null {
  if (typeof target === 'number') return target;
  if (typeof target !== 'object' || target === null || !('taskId' in target)) return null;
  return typeof target.taskId === 'number' ? target.taskId : null;
}

/** Returns the number of the attempt on which a page called a command; null if it named none. */
export function attemptOf(target: unknown): number | null {
  if (typeof target !== 'object' || target === null || !('attempt' in target)) return null;
  return typeof target.attempt === 'number' ? target.attempt : null;
}

/** Returns the ids of the tasks among these rows. */
export function idsOf(targets: readonly unknown[]): readonly TaskId[] {
  return [...new Set(targets.flatMap((target) => idOf(target) ?? []))];
}

/** Returns the task on which a command was called, or lets the user choose one; null if they did not. */
export async function chooseTask(
  services: Chooser,
  target: unknown,
  { title, suits }: { readonly title: string; readonly suits: (task: TaskViewModel) => boolean },
): Promise<TaskId | null> {
  const given = idOf(target);
  if (given !== null) return given;
  const session = await services.queueModel.useQueue();
  const { tasks } = await session.look();
  const items = tasks.filter(suits).map(({ task: { definition }, reason: { state, text } }) => ({
    label: writeLabel(definition.id, definition.prompt),
    description: hideIcons(text === '' ? STATE_NAMES[state] : `${STATE_NAMES[state]}: ${text}`),
    taskId: definition.id,
  }));
  if (items.length === 0) {
    void showInformation(t('{0}: there is no task for this now.', title));
    return null;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: addFolderName(services, title),
    matchOnDescription: true,
  });
  return chosen?.taskId ?? null;
}

/** Returns the tasks on which a command was called, or the one that the user chooses; none if they did not. */
export async function chooseTasks(
  services: Chooser,
  targets: readonly unknown[],
  options: Parameters<typeof chooseTask>[2],
): Promise<readonly TaskId[]> {
  const ids = idsOf(targets);
  if (ids.length > 0) return ids;
  const id = await chooseTask(services, undefined, options);
  return id === null ? [] : [id];
}

/** Returns the task that the user has, or the one of several that they choose; null if there is none. */
export async function chooseClaimed(services: Chooser, title: string): Promise<TaskId | null> {
  const { queue, queueContext } = await services.queueModel.useQueue();
  const { claims, tasks } = await queue.read();
  const items = claims
    .filter(({ owner }) => isUserHere(owner, { machine: queueContext.machine.id }))
    .map(({ id }) => {
      const prompt = tasks.find(({ state }) => state.id === id)?.definition.prompt;
      return { label: writeLabel(id, prompt ?? t('Its row was removed.')), taskId: id };
    });
  if (items.length === 0) {
    void showInformation(t('{0}: you have no task.', title));
    return null;
  }
  if (items.length === 1) return items[0]?.taskId ?? null;
  return (
    (await vscode.window.showQuickPick(items, { title: addFolderName(services, title) }))?.taskId ?? null
  );
}

function writeLabel(id: TaskId, prompt: string): string {
  return hideIcons(`${String(id)}  ${shorten(prompt, WIDTH)}`);
}
