import type { Status, TaskId } from './task/task';

/** Kind of an expected failure. Code decides by this word, never by the message. */
export type ProblemReason =
  | 'usage'
  | 'queue-missing'
  | 'queue-unreadable'
  | 'queue-unwritable'
  | 'queue-incomplete'
  | 'queue-exists'
  | 'queue-locked'
  | 'queue-busy'
  | 'other-machine'
  | 'redis-away'
  | 'redis-refused'
  | 'state-newer'
  | 'state-damaged'
  | 'state-linked'
  | 'state-foreign'
  | 'state-of-other-user'
  | 'state-tracked'
  | 'not-a-file'
  | 'output-exists'
  | 'output-unwritable'
  | 'older-worker'
  | 'conflict'
  | 'no-such-task'
  | 'folder-moved'
  | 'prompt-changed'
  | 'not-running'
  | 'already-running'
  | 'worker-not-started'
  | 'inside-run'
  | 'untrusted'
  | 'not-adopted'
  | 'settings-invalid'
  | 'claude-missing'
  | 'not-paid'
  | 'scheduler-missing'
  | 'scheduler-failed'
  | 'no-output'
  | 'no-diff'
  | 'undo-running'
  | 'undo-failed';

/** A failure that the rules of a queue report. The presentation layer words it. */
export type Fault = { readonly reason: ProblemReason } & (
  | { readonly kind: 'unknown-task'; readonly id: TaskId }
  | { readonly kind: 'running'; readonly id: TaskId }
  | { readonly kind: 'claim-without-task'; readonly id: TaskId }
  | { readonly kind: 'removes-running'; readonly id: TaskId }
  | { readonly kind: 'resets-running'; readonly ids: readonly TaskId[] }
  | { readonly kind: 'resets-worker'; readonly worker: string }
  | { readonly kind: 'other-question'; readonly id: TaskId }
  | { readonly kind: 'asks-question'; readonly id: TaskId }
  | { readonly kind: 'no-session'; readonly id: TaskId }
  | { readonly kind: 'not-in-review'; readonly id: TaskId; readonly status: Status }
  | { readonly kind: 'already-completed'; readonly id: TaskId }
  | { readonly kind: 'has-history' }
  | { readonly kind: 'still-needed'; readonly id: TaskId; readonly dependent: TaskId }
  | {
      readonly kind: 'unknown-dependency';
      readonly id: TaskId;
      readonly missing: TaskId;
      readonly place?: string;
    }
  | {
      readonly kind: 'own-dependency';
      readonly id: TaskId;
      readonly path: readonly TaskId[];
      readonly place?: string;
    }
  | { readonly kind: 'unread-rows'; readonly first: RowProblem; readonly vanished: number }
  | { readonly kind: 'emptied'; readonly vanished: number }
  | { readonly kind: 'other-machine'; readonly id: TaskId; readonly machine: string }
);

/**
 * An expected failure: what happened, where, and what to do next. It has a message, or a fault that the presentation
 * layer words. Anything that is not a Problem is a bug and is shown with its stack.
 */
export class Problem extends Error {
  readonly reason: ProblemReason;
  /** Absent: the message is fit for the user. */
  readonly fault?: Fault;

  constructor(fault: Fault);
  constructor(reason: ProblemReason, message: string, options?: ErrorOptions);
  constructor(what: Fault | ProblemReason, message?: string, options?: ErrorOptions) {
    super(typeof what === 'string' ? message : JSON.stringify(what), options);
    this.name = 'Problem';
    if (typeof what === 'string') {
      this.reason = what;
    } else {
      this.reason = what.reason;
      this.fault = what;
    }
  }
}

/** The caller has lost its claim: another owner has the task, or the claim was released. The run must end at once. */
export class Fenced extends Error {
  constructor(readonly id: TaskId) {
    super(`Task ${String(id)}`);
    this.name = 'Fenced';
  }
}

/** A place in a file, both counted from 1; `column` counts characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Location in a queue's file. */
export type FileWhere = { readonly kind: 'file' } & Place;

/** Location of something in a queue: a place in its file, or the position of a row, counted from 1, and its field. */
export type Where = FileWhere | { readonly kind: 'row'; readonly row: number; readonly field: string | null };

/** Returns the line in the queue's file, or the position of the row in a queue without one; 1 if it is not known. */
export function rowNumberOf(where: Where | undefined): number {
  if (where === undefined) return 1;
  return where.kind === 'file' ? where.line : where.row;
}

/** Returns the number of rows that have problems: one row may have several. */
export function countInvalidRows(problems: readonly RowProblem[]): number {
  return new Set(problems.map(({ row }) => row)).size;
}

/** Orders places as the user sees them. */
export function compareWhere(a: Where, b: Where): number {
  const byRow = rowNumberOf(a) - rowNumberOf(b);
  return byRow !== 0 || a.kind === 'row' || b.kind === 'row' ? byRow : a.column - b.column;
}

/** A fault of a row that only all rows together show. */
export type RowFault =
  | { readonly kind: 'missing-dependency'; readonly missing: TaskId }
  | { readonly kind: 'duplicate-id'; readonly id: TaskId; readonly places: readonly Where[] }
  | { readonly kind: 'on-cycle'; readonly path: readonly TaskId[] }
  | { readonly kind: 'between-cycles'; readonly path: readonly TaskId[] };

interface RowPlace<W extends Where> {
  /** Place of the cell that has the problem; of the row where it is not one cell. */
  readonly where: W;
  /** Line of the queue's file in which the row starts, or its position in a queue without one. Its cells may be on later lines. */
  readonly row: number;
  /** The row's id, where it could be read. */
  readonly id?: TaskId;
}

/** A row, or a whole file, that cannot be read. */
export interface ReadProblem<W extends Where = Where> extends RowPlace<W> {
  /** Message for the user: the fault, and a correct form. */
  readonly message: string;
}

/** A row with a fault that only all rows together show. */
export interface FaultProblem extends RowPlace<Where> {
  readonly fault: RowFault;
}

/** An unreadable row. It is reported, never run, never changed and never dropped. */
export type RowProblem = ReadProblem | FaultProblem;

/** Whether `error` is a Problem, of that reason if one is given. */
export function isProblem(error: unknown, reason?: ProblemReason): error is Problem {
  return error instanceof Problem && (reason === undefined || error.reason === reason);
}
