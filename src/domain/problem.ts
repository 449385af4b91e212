/** What kind of expected failure this is; code decides by this word, never by the message. */
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
  | 'state-newer'
  | 'state-damaged'
  | 'state-linked'
  | 'state-foreign'
  | 'state-of-other-user'
  | 'state-tracked'
  | 'not-a-file'
  | 'output-exists'
  | 'older-worker'
  | 'conflict'
  | 'no-such-task'
  | 'folder-moved'
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
  | 'no-output';

/**
 * An expected failure. The message is fit for a person: what happened, where, and what to do next.
 * Anything that is not a Problem is a bug and is shown with its stack.
 */
export class Problem extends Error {
  readonly reason: ProblemReason;

  constructor(reason: ProblemReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Problem';
    this.reason = reason;
  }
}

/** The caller's claim is no longer theirs: another owner has the task, or it was given up. The run must end at once. */
export class Fenced extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Fenced';
  }
}

/** A place in a queue file, both counted from 1; `column` counts characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A row, or a whole file, that cannot be understood. It is reported, never run, never changed and never dropped. */
export interface RowProblem extends Place {
  /** The row's id, where it could be read. */
  readonly id?: number;
  /** What is wrong, and what would be right. */
  readonly message: string;
}

/** Whether `error` is a Problem, of that reason if one is given. */
export function isProblem(error: unknown, reason?: ProblemReason): error is Problem {
  return error instanceof Problem && (reason === undefined || error.reason === reason);
}
