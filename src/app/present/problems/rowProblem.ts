import { rowNumberOf, type RowFault, type RowProblem, type Where } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';

/** Describes what is wrong with a row, and what would be valid. */
export function describeRowProblem(problem: RowProblem): string {
  return 'message' in problem ? problem.message : describeRowFault(problem.fault);
}

/** Formats a place in a queue: in a file as compilers do. */
export function formatWhere(queue: string, where: Where): string {
  if (where.kind === 'file') return `${queue}:${String(where.line)}:${String(where.column)}`;
  return `${queue}, ${describeWhere(where)}`;
}

/** Describes a place in a queue in words. */
export function describeWhere(where: Where): string {
  if (where.kind === 'file') return `line ${String(where.line)}, column ${String(where.column)}`;
  return `row ${String(where.row)}${where.field === null ? '' : `, ${where.field}`}`;
}

function describeRowFault(fault: RowFault): string {
  switch (fault.kind) {
    case 'missing-dependency':
      return `Depends on ${String(fault.missing)}, which does not exist.`;
    case 'duplicate-id':
      return `Id ${String(fault.id)} is on ${formatRows(fault.places)}. Each row needs a unique id.`;
    case 'on-cycle':
      return `Depends on itself: ${formatPath(fault.path)}. Remove one of these dependencies.`;
    case 'between-cycles':
      return `Depends on itself by way of ${String(fault.path[0])}, and that does too: ${formatPath(fault.path)}. Remove one of the dependencies between them.`;
  }
}

/** Maximum number of rows named in one message. */
const MOST_ROWS = 4;

function formatRows(places: readonly Where[]): string {
  const rows = places.slice(0, MOST_ROWS).map((where) => rowNumberOf(where));
  const name = places[0]?.kind === 'row' ? 'rows' : 'lines';
  return `${name} ${rows.join(' and ')}${places.length > MOST_ROWS ? ' and more' : ''}`;
}

/** Maximum number of tasks named at each end of a path. */
const MOST_NAMED = 8;

/** Formats a path of dependencies; a long one is cut in the middle. */
export function formatPath(path: readonly TaskId[]): string {
  if (path.length <= 2 * MOST_NAMED) return path.join(' → ');
  const ends = [...path.slice(0, MOST_NAMED), '…', ...path.slice(-MOST_NAMED)];
  return `${ends.join(' → ')} (${String(path.length - 1)} tasks)`;
}
