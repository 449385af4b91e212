import * as vscode from 'vscode';
import type { TaskId } from '../../domain/task/task';
import { findOwnCommands } from '../state/ownCommands';
import type { WindowServices } from '../state/services';
import { describeTaskHover, linkActions } from './taskHover';
import { toMarkdown } from './trustedMarkdown';

/**
 * Describes a task in a hover: its state, its actions, its forecast, and facts of its latest attempt. Null: the queue has
 * no such task.
 */
export async function describeTask(
  { key, queueModel, program }: Pick<WindowServices, 'key' | 'queueModel' | 'program'>,
  id: TaskId,
  forecast?: string,
): Promise<vscode.MarkdownString | null> {
  const { state } = queueModel;
  if (state.kind !== 'ready') return null;
  const { viewModel, notes } = state;
  const shown = viewModel.tasks.find(({ task }) => task.definition.id === id);
  if (shown === undefined) return null;
  const session = await queueModel.useQueue();
  const [attempt] = await session.use(() => session.queue.attempts({ id, limit: 1 }));
  const { isTrusted } = vscode.workspace;
  const links = linkActions(shown, { queue: key, listed: findOwnCommands({ program }), isTrusted });
  return toMarkdown({
    ...describeTaskHover(shown, { world: viewModel.world, note: notes.get(id), attempt, forecast }),
    links,
  });
}
