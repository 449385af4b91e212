import { isTrusted } from '../../claude/folder/projectTrust';
import { placeOf } from '../../domain/task/place';
import type { TaskQueue } from '../../queue/taskQueue';
import { buildViewModel, type QueueViewModel } from '../viewModel/queueViewModel';
import { listTonight, rehearse, type Rehearsed } from './rehearsal';
import { TaskRequirements } from './taskRequirements';
import type { QueueContext } from '../context/queueContext';

/** Does a dry run of this queue as it is now, or as it is in `viewModel`. */
export async function takeRehearsal(
  queueContext: QueueContext,
  queue: TaskQueue,
  viewModel?: QueueViewModel,
): Promise<Rehearsed[]> {
  const { settings } = await queueContext.configure();
  const tonight = listTonight(viewModel ?? (await buildViewModel(queueContext, queue)));
  const folders = [...new Set(tonight.map(({ task }) => placeOf(task.definition).folder))];
  const env = { ...queueContext.host.env };
  const trusted = await Promise.all(folders.map((folder) => isTrusted(folder, env)));
  const needs = new TaskRequirements(env);
  const lacks = tonight.map(async ({ task: { definition } }) => {
    const found = await needs.find(definition);
    return [definition.id, found.map(({ message }) => message)] as const;
  });
  return rehearse(tonight, {
    lacks: new Map(await Promise.all(lacks)),
    attempts: await queue.attempts({}),
    mode: settings.permissionMode,
    grants: await queueContext.openGrants().readAll(),
    untrusted: new Set(folders.filter((_, index) => trusted[index] === false)),
  });
}
