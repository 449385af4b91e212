import type { GateView } from '../../domain/gate/gate';
import type { Choice } from '../../domain/order/choice';
import type { DecidingSettings, RowFacts } from '../../domain/reasons/recordedInputs';
import type { Answered, Attempt } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Change } from '../../domain/task/decide';
import type { EpochMs } from '../../domain/time/epoch';
import type { NoticeSender } from '../../domain/queue/noticeSender';
import type { Notice, NoticeChannel } from '../../domain/queue/notices';
import type { Priority } from '../../domain/task/priority';
import type { SkippedTimes } from '../../domain/time/skippedTimes';
import type { SkippedRun } from '../../domain/time/unchangedTree';
import type { AdoptedTask } from '../../domain/task/scriptsHistory';
import type { Status, TaskId } from '../../domain/task/task';
import type { Claim, RegisteredWorker, Hold, ProcessOwner } from '../../domain/queue/view';
import type { NewTimer, OpId, ReleaseReason, Verb } from '../taskQueue';
import type { StopHow } from '../../domain/queue/workerStop';
import type { Splice } from './state/splice';

/** Row as it was found in the file. A new row has all shared values, another only those that its owner changed. */
export interface SeenRow {
  readonly id: TaskId;
  readonly power: string;
  readonly status?: Status;
  readonly scheduledAt?: EpochMs | null;
  readonly retryCount?: number;
}

/** Lines to append to the logs, by name of the log, with their line ends. */
export type LogLines = Readonly<Record<string, string>>;

/** A callback that failed, and the time of its next try. */
export interface CallbackRetry {
  readonly key: string;
  readonly at: EpochMs;
}

interface Base {
  readonly at: EpochMs;
  readonly op?: OpId;
}

/**
 * Event of a queue. The events in order are the only record of a queue besides its rows. Stored as is: kinds and
 * fields may be added, none may change its meaning without a new format version.
 */
export type QueueEvent = Base &
  (
    | { readonly kind: 'seen'; readonly rows: readonly SeenRow[] }
    | { readonly kind: 'gone'; readonly ids: readonly TaskId[] }
    | {
        readonly kind: 'claimed';
        readonly claim: Claim;
        /** First claim since everything was done: the next `all-done` notice counts from here. */
        readonly opensBatch?: true;
        /** Tasks that the claimer asked for. Absent in claims of older programs, which recorded no inputs. */
        readonly choice?: Choice;
        /** Time since when the worker has asked without a pause. Absent: it has not, or an older program wrote this. */
        readonly askingSince?: EpochMs;
      }
    | {
        /** Inputs of the decisions that follow, as far as they changed. The first one of a queue has all. */
        readonly kind: 'inputs';
        readonly settings?: DecidingSettings;
        readonly timeZone?: string;
        /** Rows that are new or changed. */
        readonly rows?: readonly RowFacts[];
        /** Change of the order of the valid rows. */
        readonly order?: Splice<TaskId>;
        /** Ids of the rows that are not valid. */
        readonly invalid?: readonly TaskId[];
        readonly asker?: {
          /** Worker that asks (`nameAsker`); null: the user. */
          readonly worker: string | null;
          readonly machine: string;
          readonly gate?: GateView;
          readonly trusted?: boolean;
          readonly unapproved?: Splice<TaskId>;
          /** Tasks that the worker asks for. */
          readonly choice?: Choice;
          /** As in a claim. */
          readonly askingSince?: EpochMs;
          /** Time by which its clock had just jumped ahead, in ms. */
          readonly clockJumpMs?: number;
        };
      }
    | { readonly kind: 'started'; readonly id: TaskId; readonly token: number; readonly run: ProcessIdentity }
    | {
        readonly kind: 'finished';
        readonly id: TaskId;
        readonly token: number;
        readonly change: Change;
        readonly attempt: Attempt;
        /** Start of Claude's answer, for callbacks. */
        readonly result?: string;
        readonly logs?: LogLines;
      }
    | {
        readonly kind: 'released';
        readonly id: TaskId;
        readonly token: number;
        readonly why: ReleaseReason;
        /** Due times that are skipped, where the task is not due any more. */
        readonly skip?: SkippedRun;
      }
    | { readonly kind: 'commanded'; readonly id: TaskId; readonly verb: Verb; readonly logs?: LogLines }
    | { readonly kind: 'answered'; readonly id: TaskId; readonly reply: Required<Answered> }
    | {
        readonly kind: 'commented';
        readonly id: TaskId;
        readonly text: string;
        /** Session of the last attempt. */
        readonly session: string;
      }
    /** The changes of these attempts of a task were undone. */
    | { readonly kind: 'undone'; readonly id: TaskId; readonly numbers: readonly number[] }
    | { readonly kind: 'approved'; readonly ids: readonly TaskId[] }
    | {
        readonly kind: 'held';
        readonly why: string;
        readonly bound?: Hold['bound'];
        /** Absent: by the user. */
        readonly by?: Hold['by'];
        /** Absent: all priorities. */
        readonly priorities?: readonly Priority[];
      }
    | {
        readonly kind: 'resumed';
        /** Set if only some holds are lifted. */
        readonly priorities?: readonly Priority[];
        readonly by?: Hold['by'];
      }
    | {
        /** Times of a repeating task passed without an attempt, and how they are handled. */
        readonly kind: 'missed';
        readonly id: TaskId;
        readonly count: number;
        /** Time at which the task is due now. */
        readonly dueAt: EpochMs;
        /** Number of further attempts that are due at once; absent: none. */
        readonly owedRuns?: number;
        /** Number of these that are for times of this occurrence. */
        readonly caughtUp?: number;
        /** Last skipped time, if all are skipped. */
        readonly lastAt?: EpochMs;
        /** Skipped times, if all are skipped. Absent in events of older programs. */
        readonly skipped?: readonly SkippedTimes[];
      }
    | {
        /** The history of another program, beside the queue file, was adopted. */
        readonly kind: 'adopted';
        readonly from: string;
        /** Oldest first. */
        readonly attempts: readonly Attempt[];
        readonly tasks: readonly AdoptedTask[];
      }
    | {
        /** A timer of the machine was installed for the queue; null: removed. */
        readonly kind: 'scheduled';
        readonly timer: NewTimer | null;
      }
    | {
        /** The timer started a worker. */
        readonly kind: 'timer-started';
        /** No worker was running. Absent: one was, or an older program wrote this, which counted dead ones. */
        readonly noWorker?: true;
      }
    | { readonly kind: 'stop'; readonly how: StopHow }
    | { readonly kind: 'enlisted'; readonly worker: RegisteredWorker }
    | { readonly kind: 'left'; readonly workers: readonly ProcessOwner[] }
    /** Notices for the user. Each is kept until every channel has sent it. */
    | { readonly kind: 'raised'; readonly notices: readonly Notice[] }
    | {
        /** This process sends these notices, unless it dies. */
        readonly kind: 'sending';
        readonly channel: NoticeChannel;
        readonly sender: NoticeSender;
        readonly keys: readonly string[];
      }
    | { readonly kind: 'sent'; readonly channel: NoticeChannel; readonly keys: readonly string[] }
    /** This process sends these callbacks, unless it dies. The end of an attempt itself causes them. */
    | { readonly kind: 'calling'; readonly sender: NoticeSender; readonly keys: readonly string[] }
    | {
        readonly kind: 'called';
        /** Callbacks that are not sent any more: delivered, or failed at the last try. */
        readonly done: readonly string[];
        /** Callbacks that failed, and when each is sent again. */
        readonly again: readonly CallbackRetry[];
        /** Hosts that received one, after a notice that they did not. */
        readonly recovered?: readonly string[];
      }
  );
