import type { Answered, Attempt } from '../../domain/task/attempt';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Change } from '../../domain/task/decide';
import type { EpochMs } from '../../domain/time/epoch';
import type { Notice, NoticeChannel, NoticeSender } from '../../domain/queue/notices';
import type { Priority } from '../../domain/task/priority';
import type { SkippedTimes } from '../../domain/time/skippedTimes';
import type { AdoptedTask } from '../../domain/task/scriptsHistory';
import type { Status, TaskId } from '../../domain/task/task';
import type { Claim, RegisteredWorker, Hold, ProcessOwner } from '../../domain/queue/view';
import type { NewTimer, OpId, ReleaseReason, StopHow, Verb } from '../taskQueue';

/** A row as it was met: all shared values for one that is new, else only those that its owner changed. */
export interface SeenRow {
  readonly id: TaskId;
  readonly power: string;
  readonly status?: Status;
  readonly scheduledAt?: EpochMs | null;
  readonly retryCount?: number;
}

/** Lines for the logs by the log's name, as they will be there, line end included. */
export type LogLines = Readonly<Record<string, string>>;

interface Base {
  readonly at: EpochMs;
  readonly op?: OpId;
}

/**
 * What happened, in order: the only truth of a queue besides its owner's rows. Stored as it is; a field may
 * or a kind may be added, none may change its meaning without a new format version.
 */
export type QueueEvent = Base &
  (
    | { readonly kind: 'seen'; readonly rows: readonly SeenRow[] }
    | { readonly kind: 'gone'; readonly ids: readonly TaskId[] }
    | {
        readonly kind: 'claimed';
        readonly claim: Claim;
        /** The first claim since all was done: the next sum counts from here. */
        readonly opensBatch?: true;
      }
    | { readonly kind: 'started'; readonly id: TaskId; readonly token: number; readonly run: ProcessIdentity }
    | {
        readonly kind: 'finished';
        readonly id: TaskId;
        readonly token: number;
        readonly change: Change;
        readonly attempt: Attempt;
        readonly logs?: LogLines;
      }
    | { readonly kind: 'released'; readonly id: TaskId; readonly token: number; readonly why: ReleaseReason }
    | { readonly kind: 'commanded'; readonly id: TaskId; readonly verb: Verb; readonly logs?: LogLines }
    | { readonly kind: 'answered'; readonly id: TaskId; readonly reply: Answered }
    | { readonly kind: 'approved'; readonly ids: readonly TaskId[] }
    | {
        readonly kind: 'held';
        readonly why: string;
        readonly bound?: Hold['bound'];
        /** Absent: the user. */
        readonly by?: Hold['by'];
        /** Absent: all. */
        readonly priorities?: readonly Priority[];
      }
    | {
        readonly kind: 'resumed';
        /** Set where only some holds are lifted. */
        readonly priorities?: readonly Priority[];
        readonly by?: Hold['by'];
      }
    | {
        /** Times of a repeating task went by without a run: what becomes of them. */
        readonly kind: 'missed';
        readonly id: TaskId;
        readonly count: number;
        /** When it is due now. */
        readonly dueAt: EpochMs;
        /** Further runs at once; absent: none. */
        readonly owedRuns?: number;
        /** How many of these are for times of this turn. */
        readonly caughtUp?: number;
        /** Where all are skipped: the last of them. */
        readonly lastAt?: EpochMs;
        /** Where all are skipped: these. Absent in events of older programs. */
        readonly skipped?: readonly SkippedTimes[];
      }
    | {
        /** The history that another program left beside the queue file was taken over. */
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
    /** The timer started a worker. */
    | { readonly kind: 'timer-started' }
    | { readonly kind: 'stop'; readonly how: StopHow }
    | { readonly kind: 'enlisted'; readonly worker: RegisteredWorker }
    | { readonly kind: 'left'; readonly workers: readonly ProcessOwner[] }
    /** Notices for the user: each is kept until it was sent by every channel. */
    | { readonly kind: 'raised'; readonly notices: readonly Notice[] }
    | {
        /** This process sends these notices, unless it dies. */
        readonly kind: 'sending';
        readonly channel: NoticeChannel;
        readonly sender: NoticeSender;
        readonly keys: readonly string[];
      }
    | { readonly kind: 'sent'; readonly channel: NoticeChannel; readonly keys: readonly string[] }
  );
