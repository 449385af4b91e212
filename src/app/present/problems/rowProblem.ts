import type { RowFault, RowProblem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';

/** Describes what is wrong with a row, and what would be right. */
export function describeRowProblem(problem: RowProblem): string {
  return 'message' in problem ? problem.message : describeRowFault(problem.fault);
}

function describeRowFault(fault: RowFault): string {
  switch (fault.kind) {
    case 'missing-dependency':
      return `Depends on ${String(fault.missing)}, which does not exist.`;
    case 'duplicate-id':
      return `Id ${String(fault.id)} is on lines ${formatLines(fault.lines)}. Each row needs a unique id.`;
    case 'on-cycle':
      return `Depends on itself: ${formatPath(fault.path)}. Remove one of these dependencies.`;
    case 'between-cycles':
      return `Depends on itself by way of ${String(fault.path[0])}, and that does too: ${formatPath(fault.path)}. Remove one of the dependencies between them.`;
  }
}

/** As many lines as are named in one message. */
const MOST_LINES = 4;

function formatLines(lines: readonly number[]): string {
  return `${lines.slice(0, MOST_LINES).join(' and ')}${lines.length > MOST_LINES ? ' and more' : ''}`;
}

/** As many tasks as are named at each end of a path. */
const MOST_NAMED = 8;

/** A path for people; of a long one its ends. */
export function formatPath(path: readonly TaskId[]): string {
  if (path.length <= 2 * MOST_NAMED) return path.join(' → ');
  const ends = [...path.slice(0, MOST_NAMED), '…', ...path.slice(-MOST_NAMED)];
  return `${ends.join(' → ')} (${String(path.length - 1)} tasks)`;
}
