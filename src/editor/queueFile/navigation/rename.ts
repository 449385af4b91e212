import type { TaskId } from '../../../domain/task/task';
import type { Attempt } from '../../../domain/task/attempt';
import type { TaskView } from '../../../domain/queue/view';
import { readId } from '../../../queue/row/meaning';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';
import { findDependents, findOwn } from './ids';
import { t } from '../../../platform/text/translate';

/** New id for a row and for all rows that depend on it, or the reason why it is refused. */
export type RenamePlan =
  { readonly id: TaskId; readonly places: readonly TextRange[] } | { readonly refused: string };

/** Plans to give the row with an id another one, which the user typed. Looks only at the document. */
export function planRename(document: QueueDocument, from: TaskId, typed: string): RenamePlan {
  const read = readId(typed.trim());
  if ('wrong' in read) return { refused: read.wrong };
  const to = read.value;
  if (to === from) return { id: to, places: [] };
  const { endsInQuote, problem } = document.file;
  // The rows after the quote are not known.
  if (endsInQuote && problem !== null) return { refused: t('Correct the file first: {0}', problem.message) };
  const own = document.rowsOf(from);
  if (own.length === 0) return { refused: t('No row has id {0}.', from) };
  if (own.length > 1) {
    return {
      refused: t(
        'Id {0} is on lines {1}, so it is not clear which row others depend on. Change one of them by hand.',
        from,
        listLines(own),
      ),
    };
  }
  const taken = document.rowsOf(to);
  if (taken.length > 0) return { refused: describeTaken(to, taken) };
  return { id: to, places: [...findOwn(document, from), ...findDependents(document, from)] };
}

/** Records of the queue about one id. */
export interface IdRecords {
  /** Its task, if there is one now. */
  readonly task: TaskView | undefined;
  /** Its attempts, also those of a removed task; one is enough. */
  readonly attempts: readonly Attempt[];
}

/**
 * Returns why a task must keep its id, or must not get the other one; null if nothing was recorded under either: the
 * queue keeps history, sessions and times by id.
 */
export function explainKeptId(
  from: TaskId,
  to: TaskId,
  records: { readonly from: IdRecords; readonly to: IdRecords },
): string | null {
  if (records.from.task?.claim !== undefined)
    return t('Task {0} is running, so it must keep its id. Try again when it has ended.', from);
  if (hasRun(records.from))
    return t(
      'Task {0} has run, so it must keep its id: its history belongs to it. Add a new row to do the work again.',
      from,
    );
  if (hasRun(records.to))
    return t('Id {0} has a history in this queue, which this task would get. Choose another one.', to);
  return null;
}

function hasRun({ task, attempts }: IdRecords): boolean {
  if (attempts.length > 0) return true;
  return task !== undefined && (task.state.lastOutcome !== null || task.state.untold === true);
}

function describeTaken(id: TaskId, rows: readonly DocumentRow[]): string {
  return rows.length === 1
    ? t('Id {0} is on line {1} already. Choose another one.', id, listLines(rows))
    : t('Id {0} is on lines {1} already. Choose another one.', id, listLines(rows));
}

/** Lists the numbers of the lines: `4 and 7`. */
function listLines(rows: readonly DocumentRow[]): string {
  return rows.map(({ line }) => String(line + 1)).reduce((list, line) => t('{0} and {1}', list, line));
}
