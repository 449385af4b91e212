import type { TaskId } from '../../domain/task/task';
import type { TaskDraft, TaskFields } from '../taskQueue';

/** New row: its id, and its fields, whose dependencies are all by id. */
export interface NewRow {
  readonly id: TaskId;
  readonly fields: TaskFields;
}

/** Gives new tasks consecutive ids, also in the dependencies between them. An index that no task has stays unknown. */
export function resolveDrafts(drafts: readonly TaskDraft[], firstId: TaskId): readonly NewRow[] {
  return drafts.map(({ fields, after = [] }, index) => {
    const id = firstId + index;
    if (after.length === 0) return { id, fields };
    const named = fields['dependencies'] ?? '';
    const ids = after.map((other) => firstId + other);
    return { id, fields: { ...fields, dependencies: [...(named === '' ? [] : [named]), ...ids].join('|') } };
  });
}
