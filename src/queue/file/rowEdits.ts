import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { removeRows } from '../csv/newRow';
import { describeRows, restoreRows } from '../csv/restoreRows';
import { refuseBadDependencies } from '../model/dependencyCheck';
import { refuseRemoval } from '../model/removal';
import type { QueueState } from '../model/state/queueState';
import type { RemovedRow } from '../row/removedRow';
import type { RowContext } from '../row/rowContext';
import { refuseTooManyRows } from '../rowTable';
import type { FileSnapshot } from './reading/reconciler';
import { t } from '../../platform/text/translate';

/** New content of the file, and what the call answers. */
export interface Rewritten<T> {
  readonly bytes: Buffer;
  readonly answer: T;
}

/** Composes the file without these rows. Answers what `restore` needs. @throws as `TaskQueue.remove` */
export function composeRemoval(
  { file, rows }: FileSnapshot,
  ids: readonly TaskId[],
  state: Pick<QueueState, 'claims'>,
): Rewritten<readonly RemovedRow[]> {
  const bytes = removeRows(file, ids);
  refuseRemoval(ids, rows.set, state);
  return { bytes, answer: describeRows(file, ids) };
}

/** Composes the file with these removed rows. @throws as `TaskQueue.restore` */
export function composeRestore(
  { file, rows }: FileSnapshot,
  removed: readonly RemovedRow[],
  context: RowContext,
): Rewritten<void> {
  refuseTooManyRows(file.records.length, removed.length);
  const { bytes, definitions } = restoreRows(file, removed, context);
  refuseBadDependencies(definitions, rows.set);
  return { bytes, answer: undefined };
}

/** Refuses to change a file that is not whole. @throws Problem `queue-incomplete` */
export function refuseIncomplete(name: string, { file: { problem } }: Pick<FileSnapshot, 'file'>): void {
  if (problem === null) return;
  const { line, column } = problem.where;
  const place = `${name}:${String(line)}:${String(column)}`;
  throw new Problem('queue-incomplete', t('{0} {1} Fix it, then try again.', place, problem.message));
}
