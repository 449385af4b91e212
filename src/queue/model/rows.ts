import { groupBy } from '../../domain/lists';
import { findTangles, type Tangle } from '../../domain/task/dependencies';
import { compareWhere, rowNumberOf, type RowFault, type RowProblem, type Where } from '../../domain/problem';
import type { Definition, TaskId } from '../../domain/task/task';
import type { Column } from '../row/columns';

/** Row that is valid by itself. */
export interface Row {
  readonly definition: Definition;
  readonly power: string;
  readonly where: Where;
}

/** Row that cannot be read. */
export interface UnreadRow {
  /** Null: it is not readable. */
  readonly id: TaskId | null;
  /** Place of the row; its problems are at its cells. */
  readonly where: Where;
  readonly problems: readonly RowProblem[];
}

/** Rows of a queue at one moment, in file order. */
export interface RowSet {
  readonly rows: readonly Row[];
  readonly problems: readonly RowProblem[];
  /** Ids of rows with problems. */
  readonly invalidIds: ReadonlySet<TaskId>;
  /** Highest id in any row; 0: there is none. */
  readonly highestId: TaskId;
  /** False while a file is being written: a missing row then means nothing. */
  readonly whole: boolean;
  /** Names in the header, trimmed and in lower case: also those that are no column of a queue. None unless whole. */
  readonly columns: readonly string[];
}

/** File or sheet that the rows of a queue were read from. */
export interface RowSource<R extends Row> extends Pick<RowSet, 'whole' | 'columns'> {
  /** Problem of the whole file; null: there is none. */
  readonly problem: RowProblem | null;
  /** Returns the place of a row's cell, or of the row if it has no such cell. */
  readonly whereOf: (row: R, column: Column) => Where;
}

/**
 * Finds problems that only all rows together show: duplicate ids, missing dependencies, cycles. Reports these rows
 * and leaves them out.
 */
export function checkRows<R extends Row>(
  rows: readonly R[],
  unread: readonly UnreadRow[],
  { whole, columns, problem, whereOf }: RowSource<R>,
): RowSet {
  const found = unread.flatMap(({ problems }) => problems);
  if (problem !== null) found.unshift(problem);
  const invalidIds = new Set(unread.flatMap(({ id }) => id ?? []));
  const report = (row: R, fault: RowFault): void => {
    const { id } = row.definition;
    const where = whereOf(row, fault.kind === 'duplicate-id' ? 'id' : 'dependencies');
    found.push({ id, where, row: rowNumberOf(row.where), fault });
    invalidIds.add(id);
  };
  const indexOf = new Map<TaskId, number>();
  for (const row of rows) indexOf.set(row.definition.id, indexOf.size);
  reportDuplicates(rows, unread, indexOf, report);
  let dependsBelow = false;
  for (const row of rows) {
    const { id, dependencies } = row.definition;
    if (dependencies.length === 0) continue;
    const missing = dependencies.find((other) => !indexOf.has(other) && !invalidIds.has(other));
    if (missing !== undefined) report(row, { kind: 'missing-dependency', missing });
    const own = indexOf.get(id) ?? 0;
    dependsBelow ||= dependencies.some((other) => (indexOf.get(other) ?? own) >= own);
  }
  // A cycle needs a row that depends on itself or on a row below it. Most files have none.
  if (dependsBelow) reportCycles(rows, report);
  const valid = invalidIds.size === 0 ? rows : rows.filter((row) => !invalidIds.has(row.definition.id));
  found.sort((a, b) => compareWhere(a.where, b.where));
  const highestId = highestOf(indexOf.keys(), highestOf(invalidIds));
  return { rows: valid, problems: found, invalidIds, highestId, whole, columns };
}

/** Returns the highest of some ids and `least`. */
export function highestOf(ids: Iterable<TaskId>, least = 0): TaskId {
  let highest = least;
  for (const id of ids) highest = Math.max(highest, id);
  return highest;
}

type Report<R extends Row> = (row: R, fault: RowFault) => void;

/** Reports the rows whose id another row has too, also one that cannot be read. That one has its own problems. */
function reportDuplicates<R extends Row>(
  rows: readonly R[],
  unread: readonly UnreadRow[],
  ids: ReadonlyMap<TaskId, unknown>,
  report: Report<R>,
): void {
  // Most files have no such row.
  if (ids.size === rows.length && !unread.some(({ id }) => id !== null && ids.has(id))) return;
  const all = [...rows.map(({ definition: { id }, where }) => ({ id, where })), ...unread];
  const byId = groupBy(
    all.sort((a, b) => compareWhere(a.where, b.where)),
    ({ id }) => id,
  );
  for (const row of rows) {
    const { id } = row.definition;
    const places = (byId.get(id) ?? []).map(({ where }) => where);
    if (places.length > 1) report(row, { kind: 'duplicate-id', id, places });
  }
}

function reportCycles<R extends Row>(rows: readonly R[], report: Report<R>): void {
  // The last row with an id counts. A row without dependencies is on no cycle.
  const byId = new Map<TaskId, R>();
  for (const row of rows) {
    const { id, dependencies } = row.definition;
    if (dependencies.length > 0) byId.set(id, row);
    else byId.delete(id);
  }
  const dependencies = new Map([...byId].map(([id, row]) => [id, row.definition.dependencies]));
  for (const tangle of findTangles(dependencies)) {
    for (const [id, fault] of faultsOf(tangle)) {
      const row = byId.get(id);
      if (row !== undefined) report(row, fault);
    }
  }
}

/** Returns the fault of each task of a tangle. */
function faultsOf({ paths, others }: Tangle): ReadonlyMap<TaskId, RowFault> {
  const faults = new Map<TaskId, RowFault>();
  for (const path of paths) {
    for (const id of path) if (!faults.has(id)) faults.set(id, { kind: 'on-cycle', path });
  }
  const [first = []] = paths;
  for (const id of others) faults.set(id, { kind: 'between-cycles', path: first });
  return faults;
}

/** Rows of a step that looks at none. */
export const NO_ROWS: RowSet = {
  ...{ rows: [], problems: [], invalidIds: new Set(), highestId: 0 },
  ...{ whole: true, columns: [] },
};
