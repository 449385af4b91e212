import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { TaskFields } from '../taskQueue';
import { COLUMNS } from './columns';
import { t } from '../../platform/text/translate';

/** Refuses another id: everything recorded of a task refers to its id. @throws Problem `usage` */
export function refuseNewId(id: TaskId, { id: given }: TaskFields): void {
  if (given === undefined || given === String(id)) return;
  throw new Problem('usage', t('Task {0} must keep its id: history and dependencies refer to it.', id));
}

/**
 * Returns the only row that was found for an id. `advice` is what to do about several.
 * @throws Problem `no-such-task`; `usage` if several rows have the id
 */
export function requireOne<T>(found: readonly T[], id: TaskId, advice: string): T {
  const [row, ...others] = found;
  if (row === undefined) throw new Problem('no-such-task', t('There is no task {0}.', id));
  if (others.length === 0) return row;
  throw new Problem('usage', t('Id {0} is on more than one row. {1}', id, advice));
}

/** Refuses a row of which it is not known which text belongs to which column. @throws Problem `usage` */
export function refuseMisshapen(id: TaskId, isWellShaped: boolean, advice: string): void {
  if (isWellShaped) return;
  throw new Problem('usage', t('The row of task {0} has too few or too many cells. {1}', id, advice));
}

/** Returns the names of the fields that a row with these columns needs: a missing column means empty texts. */
export function neededFields(fields: TaskFields, hasColumn: (name: string) => boolean): string[] {
  return Object.keys(fields).filter((name) => hasColumn(name) || fields[name] !== '');
}

/** Returns the names that are columns to add. @throws Problem `usage` for a name that no column has */
export function missingColumns(names: readonly string[], hasColumn: (name: string) => boolean): string[] {
  const missing = names.filter((name) => !hasColumn(name));
  const unknown = missing.find((name) => !COLUMNS.some((column) => column === name));
  if (unknown === undefined) return missing;
  throw new Problem(
    'usage',
    t('There is no column "{0}". The columns are {1}.', unknown, COLUMNS.join(', ')),
  );
}
