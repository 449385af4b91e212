import { findTangles, formatPath, type Tangle } from '../../domain/task/dependencies';
import type { RowProblem } from '../../domain/problem';
import type { Definition, TaskId } from '../../domain/task/task';

/** A row that can be understood, taken for itself. */
export interface Row {
  readonly definition: Definition;
  readonly power: string;
  /** Line of its first character, from 1, where the store has lines. */
  readonly line: number;
}

/** The rows of a queue at one moment, in their order. */
export interface RowSet {
  readonly rows: readonly Row[];
  readonly problems: readonly RowProblem[];
  /** Ids of rows with problems. */
  readonly invalidIds: ReadonlySet<TaskId>;
  /** False while a file is being written: nothing may be concluded from what is not in it. */
  readonly whole: boolean;
}

/**
 * Finds what only all rows together show: ids that stand twice, dependencies that are not there, cycles.
 * Those rows are taken out and reported.
 */
export function checkRows(rows: readonly Row[], problems: readonly RowProblem[], whole: boolean): RowSet {
  const found = [...problems];
  const invalidIds = new Set<TaskId>();
  for (const problem of problems) if (problem.id !== undefined) invalidIds.add(problem.id);
  const report = (row: Row, message: string): void => {
    found.push({ id: row.definition.id, line: row.line, column: 1, message });
    invalidIds.add(row.definition.id);
  };
  const indexOf = new Map<TaskId, number>();
  for (const row of rows) indexOf.set(row.definition.id, indexOf.size);
  if (indexOf.size < rows.length) reportDuplicates(rows, report);
  let dependsBelow = false;
  for (const row of rows) {
    const { id, dependencies } = row.definition;
    if (dependencies.length === 0) continue;
    const missing = dependencies.find((other) => !indexOf.has(other) && !invalidIds.has(other));
    if (missing !== undefined) report(row, `Depends on ${String(missing)}, which is not in the queue.`);
    const own = indexOf.get(id) ?? 0;
    dependsBelow ||= dependencies.some((other) => (indexOf.get(other) ?? own) >= own);
  }
  // On a cycle some row depends on itself, or on one below it. In most files none does.
  if (dependsBelow) reportCycles(rows, report);
  const valid = invalidIds.size === 0 ? rows : rows.filter((row) => !invalidIds.has(row.definition.id));
  found.sort((a, b) => a.line - b.line || a.column - b.column);
  return { rows: valid, problems: found, invalidIds, whole };
}

type Report = (row: Row, message: string) => void;

/** As many lines as are named in one message. */
const MOST_LINES = 4;

function reportDuplicates(rows: readonly Row[], report: Report): void {
  const lines = new Map<TaskId, number[]>();
  for (const { definition, line } of rows) {
    const same = lines.get(definition.id);
    if (same === undefined) lines.set(definition.id, [line]);
    else same.push(line);
  }
  for (const row of rows) {
    const same = lines.get(row.definition.id) ?? [];
    if (same.length < 2) continue;
    const where = `${same.slice(0, MOST_LINES).join(' and ')}${same.length > MOST_LINES ? ' and more' : ''}`;
    report(row, `Id ${String(row.definition.id)} stands on lines ${where}: each row needs an id of its own.`);
  }
}

function reportCycles(rows: readonly Row[], report: Report): void {
  // Of rows with the same id the last one is looked at; what depends on nothing is on no cycle.
  const byId = new Map<TaskId, Row>();
  for (const row of rows) {
    const { id, dependencies } = row.definition;
    if (dependencies.length > 0) byId.set(id, row);
    else byId.delete(id);
  }
  const dependencies = new Map([...byId].map(([id, row]) => [id, row.definition.dependencies]));
  for (const tangle of findTangles(dependencies)) {
    for (const [id, message] of describeTangle(tangle)) {
      const row = byId.get(id);
      if (row !== undefined) report(row, message);
    }
  }
}

/** What is said to each task of a tangle. */
function describeTangle({ paths, others }: Tangle): ReadonlyMap<TaskId, string> {
  const messages = new Map<TaskId, string>();
  for (const path of paths) {
    const message = `Depends on itself: ${formatPath(path)}. Take one of these dependencies out.`;
    for (const id of path) if (!messages.has(id)) messages.set(id, message);
  }
  const [first = []] = paths;
  const message = `Depends on itself by way of ${String(first[0])}, and that does too: ${formatPath(first)}. Take one of the dependencies between them out.`;
  for (const id of others) messages.set(id, message);
  return messages;
}
