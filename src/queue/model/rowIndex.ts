import type { TaskId } from '../../domain/task/task';
import type { Row } from './rows';

/** A row with its place. */
interface Placed {
  readonly row: Row;
  readonly order: number;
}

/** The rows of a queue by id. Only rows that changed are looked at again. */
export class RowIndex {
  private readonly placed = new Map<TaskId, Placed>();
  private readonly dependents = new Map<TaskId, Set<TaskId>>();
  private readonly withSchedule = new Set<TaskId>();
  private rows: readonly Row[] = [];

  get ids(): Iterable<TaskId> {
    return this.placed.keys();
  }

  /** Ids of the rows that repeat. */
  get repeating(): Iterable<TaskId> {
    return this.withSchedule;
  }

  /** Ids in row order. */
  get inOrder(): readonly TaskId[] {
    return this.rows.map(({ definition }) => definition.id);
  }

  get(id: TaskId): Placed | undefined {
    return this.placed.get(id);
  }

  /** Adds to a set the ids of rows that depend on its tasks. */
  addDependents(ids: Set<TaskId>): void {
    if (this.dependents.size === 0) return;
    for (const id of [...ids]) for (const dependent of this.dependents.get(id) ?? []) ids.add(dependent);
  }

  /** Takes over rows. Returns the ids whose row or place changed. */
  update(rows: readonly Row[]): Iterable<TaskId> {
    const before = this.rows;
    if (rows === before) return [];
    this.rows = rows;
    const changed = new Set<TaskId>();
    const added: Placed[] = [];
    for (let order = 0; order < Math.max(before.length, rows.length); order += 1) {
      const [old, row] = [before[order], rows[order]];
      if (isSame(old, row)) continue;
      if (old !== undefined) changed.add(this.remove(old));
      if (row !== undefined) added.push({ row, order });
    }
    // After all were removed: a row may have another place now.
    for (const placed of added) changed.add(this.add(placed));
    return changed;
  }

  private remove({ definition: { id, dependencies } }: Row): TaskId {
    this.placed.delete(id);
    this.withSchedule.delete(id);
    for (const other of dependencies) this.dependents.get(other)?.delete(id);
    return id;
  }

  private add(placed: Placed): TaskId {
    const { id, dependencies, repeat } = placed.row.definition;
    this.placed.set(id, placed);
    if (repeat !== undefined) this.withSchedule.add(id);
    for (const other of dependencies) {
      const known = this.dependents.get(other);
      if (known === undefined) this.dependents.set(other, new Set([id]));
      else known.add(id);
    }
    return id;
  }
}

function isSame(a: Row | undefined, b: Row | undefined): boolean {
  return a === b || (a !== undefined && a.definition === b?.definition && a.power === b.power);
}
