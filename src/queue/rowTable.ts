import { Problem } from '../domain/problem';
import type { TaskId } from '../domain/task/task';
import { t } from '../platform/text/translate';
import type { OpId } from './taskQueue';

/** Largest number of rows of a queue. Reading 1,000,000 rows took 3 GB. */
export const MOST_ROWS = 250_000;

/** Refuses an addition after which a queue could not be read any more. @throws Problem `usage` */
export function refuseTooManyRows(before: number, added: number): void {
  if (before + added <= MOST_ROWS) return;
  const message = t(
    'The queue would have more than {0} rows, which is the limit. Remove finished ones first.',
    MOST_ROWS,
  );
  throw new Problem('usage', message);
}

/** Rows as texts, in the queue's order. A row with too few or too many texts is not valid. */
export interface RowTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Options of an import. `renumber`: give new ids, also in the dependencies between them. */
export interface ImportHow {
  readonly renumber: boolean;
}

/** Queue whose rows are not a file: they can be imported from one, and exported to one. */
export interface RowTableQueue {
  /** Returns all rows, also invalid ones. The columns that the program writes too show the tasks as they are now. */
  exportRows(): Promise<RowTable>;
  /**
   * Adds rows after the others, all or none, also invalid ones. Missing columns are added. Returns the ids in the rows,
   * in their order.
   * @throws Problem `conflict` if ids are taken; `usage` if the queue would have more than `MOST_ROWS` rows
   */
  importRows(table: RowTable, how: ImportHow, op: OpId): Promise<readonly TaskId[]>;
}
