import { isProblem, Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';
import type { TaskDraft, TaskFields } from '../taskQueue';

/** New row: its id, its fields, whose dependencies are all by id, and its place for messages; null: it is the only one. */
export interface NewRow {
  readonly id: TaskId;
  readonly fields: TaskFields;
  readonly place: string | null;
}

/** Gives new tasks consecutive ids, also in the dependencies between them. An index that no task has stays unknown. */
export function resolveDrafts(drafts: readonly TaskDraft[], firstId: TaskId): readonly NewRow[] {
  return drafts.map(({ fields, after = [], place: given }, index) => {
    const id = firstId + index;
    const place = given ?? (drafts.length > 1 ? t('New row {0}', index + 1) : null);
    if (after.length === 0) return { id, fields, place };
    const named = fields['dependencies'] ?? '';
    const ids = after.map((other) => firstId + other);
    const dependencies = [...(named === '' ? [] : [named]), ...ids].join('|');
    return { id, fields: { ...fields, dependencies }, place };
  });
}

/** Writes a new row. The message of a problem with it starts with its place. */
export function writeInPlace<T>({ place }: NewRow, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (place === null || !isProblem(error, 'usage')) throw error;
    throw new Problem('usage', `${place}: ${error.message}`, { cause: error });
  }
}
