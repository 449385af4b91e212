import type { TaskId } from '../../../domain/task/task';
import type { Attempt } from '../../../domain/task/attempt';
import type { TaskView } from '../../../domain/queue/view';
import { readId } from '../../../queue/row/meaning';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';
import { findDependents, findOwn } from './ids';

/** New id for a row and for all rows that depend on it, or the reason why it is refused. */
export type RenamePlan =
  { readonly id: TaskId; readonly places: readonly TextRange[] } | { readonly refused: string };

/** Plans to give the row with an id another one, which the user typed. Looks only at the document. */
export function planRename(document: QueueDocument, from: TaskId, typed: string): RenamePlan {
  const read = readId(typed.trim());
  if ('wrong' in read) return { refused: read.wrong };
  const to = read.value;
  if (to === from) return { id: to, places: [] };
  const own = document.rowsOf(from);
  if (own.length === 0) return { refused: `No row has id ${from}.` };
  if (own.length > 1) {
    const message = `Id ${from} is on ${describeLines(own)}, so it is not clear which row others depend on. Change one of them by hand.`;
    return { refused: message };
  }
  const taken = document.rowsOf(to);
  if (taken.length > 0)
    return { refused: `Id ${to} is on ${describeLines(taken)} already. Choose another one.` };
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
    return `Task ${from} is running, so it must keep its id. Try again when it has ended.`;
  if (hasRun(records.from))
    return `Task ${from} has run, so it must keep its id: its history belongs to it. Add a new row to do the work again.`;
  if (hasRun(records.to))
    return `Id ${to} has a history in this queue, which this task would get. Choose another one.`;
  return null;
}

function hasRun({ task, attempts }: IdRecords): boolean {
  if (attempts.length > 0) return true;
  return task !== undefined && (task.state.lastOutcome !== null || task.state.untold === true);
}

function describeLines(rows: readonly DocumentRow[]): string {
  const lines = rows.map(({ line }) => line + 1);
  return lines.length === 1 ? `line ${String(lines[0])}` : `lines ${lines.join(' and ')}`;
}
