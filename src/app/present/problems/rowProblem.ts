import { rowNumberOf, type RowFault, type RowProblem, type Where } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { t } from '../../../platform/text/translate';
import { joinWithAnd } from '../text';

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
  if (where.kind === 'file') return t('line {0}, column {1}', where.line, where.column);
  return where.field === null ? t('row {0}', where.row) : t('row {0}, {1}', where.row, where.field);
}

function describeRowFault(fault: RowFault): string {
  switch (fault.kind) {
    case 'missing-dependency':
      return t('Depends on {0}, which does not exist.', fault.missing);
    case 'duplicate-id':
      return t('Id {0} is on {1}. Each row needs a unique id.', fault.id, formatRows(fault.places));
    case 'on-cycle':
      return t('Depends on itself: {0}. Remove one of these dependencies.', formatPath(fault.path));
    case 'between-cycles':
      return t(
        'Depends on itself by way of {0}, and that does too: {1}. Remove one of the dependencies between them.',
        String(fault.path[0]),
        formatPath(fault.path),
      );
  }
}

/** Maximum number of rows named in one message. */
const MOST_ROWS = 4;

function formatRows(places: readonly Where[]): string {
  const rows = joinWithAnd(places.slice(0, MOST_ROWS).map((where) => String(rowNumberOf(where))));
  const hasMore = places.length > MOST_ROWS;
  if (places[0]?.kind === 'row') return hasMore ? t('rows {0} and more', rows) : t('rows {0}', rows);
  return hasMore ? t('lines {0} and more', rows) : t('lines {0}', rows);
}

/** Maximum number of tasks named at each end of a path. */
const MOST_NAMED = 8;

/** Formats a path of dependencies; a long one is cut in the middle. */
export function formatPath(path: readonly TaskId[]): string {
  if (path.length <= 2 * MOST_NAMED) return path.join(' → ');
  const ends = [...path.slice(0, MOST_NAMED), '…', ...path.slice(-MOST_NAMED)];
  return t('{0} ({1} tasks)', ends.join(' → '), path.length - 1);
}
