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

/** Returns the nearest tasks around each row that stay when these are removed. */
export function findNeighbors(
  ids: RowIds,
  removed: ReadonlySet<TaskId>,
): readonly Pick<RemovedRow, 'above' | 'below'>[] {
  const above = nearestBefore(ids, removed);
  const below = nearestBefore(ids.toReversed(), removed).reverse();
  return ids.map((_, index) => ({ above: above[index] ?? null, below: below[index] ?? null }));
}

/** Returns the nearest task before each row that stays. */
function nearestBefore(ids: RowIds, removed: ReadonlySet<TaskId>): RowIds[number][] {
  let nearest: TaskId | null = null;
  return ids.map((id) => {
    const before = nearest;
    if (id !== null && !removed.has(id)) nearest = id;
    return before;
  });
}

/** Rows of a queue in their order, into which removed rows are put back one by one. */
export class RestoredOrder {
  private readonly present: Set<TaskId | null>;
  private readonly restored = new Set<TaskId>();
  private last: (Pick<RemovedRow, 'above' | 'below'> & { readonly at: number }) | null = null;

  /**
   * @param ids those of all rows, which belong to this order from now on
   * @param head columns of the queue now
   */
  constructor(
    private readonly ids: (TaskId | null)[],
    private readonly head: string,
  ) {
    this.present = new Set(ids);
  }

  /**
   * Puts a row back and returns its index: before the task that was below it, else after the one that was above it and
   * after the rows that were put back there, else at the end.
   * @throws Problem `conflict` if it would not be the row that was removed
   */
  put({ id, head, above, below }: RemovedRow): number {
    if (this.present.has(id))
      throw new Problem('conflict', t('Task {0} cannot be restored: it exists again.', id));
    if (head !== this.head)
      throw new Problem(
        'conflict',
        t('Task {0} cannot be restored: the columns of the queue have changed.', id),
      );
    const { last } = this;
    // Thousands of rows that were removed together have one place.
    const isNext = last !== null && last.above === above && last.below === below;
    const at = isNext ? last.at + 1 : this.findPlace(above, below);
    this.ids.splice(at, 0, id);
    this.present.add(id);
    this.restored.add(id);
    this.last = { above, below, at };
    return at;
  }

  private findPlace(above: TaskId | null, below: TaskId | null): number {
    const next = below === null ? -1 : this.ids.indexOf(below);
    if (next >= 0) return next;
    const previous = above === null ? -1 : this.ids.indexOf(above);
    if (previous < 0 && above !== null) return this.ids.length;
    let index = previous + 1;
    while (this.restored.has(this.ids[index] ?? 0)) index += 1;
    return index;
  }
}
