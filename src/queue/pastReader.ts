import type { DecidingSettings } from '../domain/reasons/recordedInputs';
import type { ProcessOwner } from '../domain/queue/view';
import type { Reason } from '../domain/reasons/reason';
import type { World } from '../domain/reasons/world';
import type { Outcome } from '../domain/task/attempt';
import type { Change } from '../domain/task/decide';
import type { EpochMs } from '../domain/time/epoch';
import type { TaskId } from '../domain/task/task';

/** Times from `from` until before `to`. */
export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Claim for which the rules choose another task now. */
export interface Difference {
  readonly at: EpochMs;
  /** Task that was claimed. */
  readonly recorded: TaskId;
  /** Task that the rules choose; null: none. */
  readonly expected: TaskId | null;
  /** Reason why the rules do not start the claimed task; null: they only start the expected one before it. */
  readonly why: Reason | null;
}

/** Start by changed settings at a time at which a worker with a free slot found none by the recorded ones. */
export interface AddedStart {
  readonly at: EpochMs;
  readonly task: TaskId;
  /** Reason why the task waited. */
  readonly why: Reason;
}

/** Start that the rules find at a time at which a worker asked for a task and got none. */
export interface MissedStart {
  readonly at: EpochMs;
  readonly task: TaskId;
  readonly worker: ProcessOwner;
}

/** Time at which a worker noticed that its clock had jumped ahead: it was set, or the machine or the worker was suspended. */
export interface ClockJump {
  readonly at: EpochMs;
  readonly byMs: number;
}

/** Worker that did not say that it ended. */
export interface SilentWorker {
  readonly worker: ProcessOwner;
  /** When it recorded something last. */
  readonly lastAt: EpochMs;
}

/** Effect of an attempt's end on its task, as far as it is compared. */
export interface Ending extends Pick<Change, 'status' | 'retryCount' | 'givenUp'> {
  /** Time of the next repetition; null: the task does not wait for one. */
  readonly nextAt: EpochMs | null;
}

/** End of an attempt for which the rules decide something else now. */
export interface EndDifference {
  readonly at: EpochMs;
  readonly task: TaskId;
  readonly outcome: Outcome;
  readonly recorded: Ending;
  readonly expected: Ending;
}

/** Ends of attempts that were decided again. */
export interface EndsReplay {
  /** Number of ends for which the rules decide the same. */
  readonly same: number;
  readonly differences: readonly EndDifference[];
}

/** Result of a replay. */
export interface Replay {
  /** Time of the oldest event that is kept; null: there is none. */
  readonly oldestEvent: EpochMs | null;
  /** Time from which inputs are recorded; null: they are not. */
  readonly recordedFrom: EpochMs | null;
  /** Number of events in the span. */
  readonly events: number;
  /** Number of claims for which the rules choose the same task. */
  readonly same: number;
  readonly differences: readonly Difference[];
  /** First start that changed settings add, if it comes before the first difference; null: none is found. */
  readonly added: AddedStart | null;
  /** Starts that the recorded settings find besides the claims, each task once until it is claimed. */
  readonly missed: readonly MissedStart[];
  /** Ends of workers' attempts, where their inputs are recorded. */
  readonly ends: EndsReplay;
  /** Number of claims without recorded inputs: they cannot be decided again. */
  readonly unrecorded: number;
  /** Number of times that the clock was set back. */
  readonly clockSteps: number;
  /** One for each worker that noticed it. */
  readonly clockJumps: readonly ClockJump[];
  readonly silent: readonly SilentWorker[];
  /** Time zone in force at the end; null: not recorded. */
  readonly timeZone: string | null;
}

/** State of a queue at an earlier time. */
export type PastMoment<Snapshot> =
  | {
      readonly kind: 'known';
      readonly snapshot: Snapshot;
      readonly around: Omit<World, 'queue' | 'byId'>;
      /**
       * When somebody last asked for a task before: rows, settings and usage limits that have changed since are not
       * recorded. Null: not known.
       */
      readonly recordedAt: EpochMs | null;
    }
  /** No event is that old; null: there is none at all. */
  | { readonly kind: 'before'; readonly oldestEvent: EpochMs | null }
  /** Inputs are recorded only from a later time on; null: they are not. */
  | { readonly kind: 'unrecorded'; readonly recordedFrom: EpochMs | null };

/** Reads the past of a queue. Never writes. */
export interface PastReader<Snapshot> {
  /**
   * Decides the claims and ends of a span again by the rules of today, with `changed` in place of the recorded settings.
   * Each is decided at the recorded state, also after one that differs.
   */
  replay(span: Span, changed?: Partial<DecidingSettings>): Promise<Replay>;
  /** Returns the state at an earlier time. */
  lookBack(at: EpochMs): Promise<PastMoment<Snapshot>>;
}
