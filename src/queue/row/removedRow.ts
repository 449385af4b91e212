import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { t } from '../../platform/text/translate';

/** Row that was removed, with what its store needs to put it back as it was. */
export interface RemovedRow {
  readonly id: TaskId;
  /** Columns at that time, as the store writes them. */
  readonly head: string;
  /** The row, as the store writes it. */
  readonly line: string;
  /** Nearest task above whose row stayed; null: there was none. */
  readonly above: TaskId | null;
  /** Nearest task below whose row stayed; null: there was none. */
  readonly below: TaskId | null;
}

/** Ids of all rows in order; null: a row without a readable id. */
export type RowIds = readonly (TaskId | null)[];

/** Returns the nearest tasks around a row that stay when these are removed. */
export function neighborsOf(
  ids: RowIds,
  index: number,
  removed: readonly TaskId[],
): Pick<RemovedRow, 'above' | 'below'> {
  const stays = (id: TaskId | null): boolean => id !== null && !removed.includes(id);
  return {
    above: ids.slice(0, index).findLast(stays) ?? null,
    below: ids.slice(index + 1).find(stays) ?? null,
  };
}

/**
 * Returns the index at which a row is put back: before the task that was below it, else after the one that was above
 * it and after the rows in `restored`, else at the end.
 */
export function findPlace(
  ids: RowIds,
  { above, below }: Pick<RemovedRow, 'above' | 'below'>,
  restored: readonly TaskId[],
): number {
  const next = below === null ? -1 : ids.indexOf(below);
  if (next >= 0) return next;
  const previous = above === null ? -1 : ids.indexOf(above);
  if (previous < 0 && above !== null) return ids.length;
  return firstNotIn(ids, previous + 1, restored);
}

function firstNotIn(ids: RowIds, start: number, restored: readonly TaskId[]): number {
  let index = start;
  for (let id = ids[index]; id !== undefined && id !== null && restored.includes(id); id = ids[index])
    index += 1;
  return index;
}

/** Refuses to put a row back that would not be the one that was removed. @throws Problem `conflict` */
export function refuseChanged({ id, head }: RemovedRow, now: string, ids: RowIds): void {
  if (ids.includes(id)) throw new Problem('conflict', t('Task {0} cannot be restored: it exists again.', id));
  if (head === now) return;
  throw new Problem('conflict', t('Task {0} cannot be restored: the columns of the queue have changed.', id));
}
