import type { TaskId } from '../../../domain/task/task';
import type { TaskView } from '../../../domain/queue/view';
import { t } from '../../../platform/text/translate';

/**
 * Returns those of these tasks that can be removed together: none of them runs, and no task that stays depends on one.
 */
export function findRemovable(tasks: readonly TaskView[], ids: readonly TaskId[]): readonly TaskId[] {
  let removable = tasks
    .filter(({ definition, claim }) => claim === undefined && ids.includes(definition.id))
    .map(({ definition }) => definition.id);
  for (let before = -1; before !== removable.length;) {
    before = removable.length;
    const needed = neededWithout(tasks, removable);
    removable = removable.filter((id) => !needed.has(id));
  }
  return removable;
}

/** Maximum number of tasks whose reason is given. */
const MOST_REASONS = 3;

/** Says why tasks cannot be removed together with those that can; empty for tasks that are gone. */
export function explainKept(
  tasks: readonly TaskView[],
  kept: readonly TaskId[],
  removable: readonly TaskId[],
): readonly string[] {
  const reasons = kept.flatMap((id) => {
    if (tasks.some(({ definition, claim }) => definition.id === id && claim !== undefined))
      return [t('Task {0} is running or in your hands. Cancel or release it first.', id)];
    const dependent = tasks.find(
      ({ definition }) => definition.dependencies.includes(id) && !removable.includes(definition.id),
    );
    return dependent === undefined ? [] : [t('Task {0} depends on task {1}.', dependent.definition.id, id)];
  });
  return reasons.slice(0, MOST_REASONS);
}

/** Returns the ids on which tasks depend that are not removed. */
function neededWithout(tasks: readonly TaskView[], removed: readonly TaskId[]): ReadonlySet<TaskId> {
  const gone = new Set(removed);
  const staying = tasks.filter(({ definition }) => !gone.has(definition.id));
  return new Set(staying.flatMap(({ definition }) => definition.dependencies));
}

/** Describes a removal: `Removed task 12.` or `Removed 3 tasks.` */
export function describeRemoval(ids: readonly TaskId[]): string {
  return ids.length === 1 ? t('Removed task {0}.', ids.join(', ')) : t('Removed {0} tasks.', ids.length);
}

/** Describes that a removal was undone: `Restored task 12.` or `Restored 3 tasks.` */
export function describeRestoration(ids: readonly TaskId[]): string {
  return ids.length === 1 ? t('Restored task {0}.', ids.join(', ')) : t('Restored {0} tasks.', ids.length);
}
