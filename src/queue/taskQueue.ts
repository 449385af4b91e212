import type { Answered, Attempt, AttemptFacts, EndNote, Outcome, StopCause } from '../domain/task/attempt';
import type { ProcessIdentity } from '../domain/task/processIdentity';
import type { Change } from '../domain/task/decide';
import type { Reason } from '../domain/reasons/reason';
import type { ApprovalSet } from '../domain/task/approval';
import type { GateView } from '../domain/gate/gate';
import type { Choice } from '../domain/order/choice';
import type { RowProblem, Where } from '../domain/problem';
import type { CallbackEntry, CallbackRequest, CallbackTry } from '../domain/queue/callbacks';
import type { Notice, NoticeChannel, NoticeRequest, OutboxEntry } from '../domain/queue/notices';
import type { AdoptedTask } from '../domain/task/scriptsHistory';
import type { Settings } from '../domain/settings/settings';
import type { EpochMs } from '../domain/time/epoch';
import type { SkippedRun } from '../domain/time/unchangedTree';
import type { Timer } from '../domain/queue/missingWorker';
import type { Definition, TaskId } from '../domain/task/task';
import type { PastReader } from './pastReader';
import type { RemovedRow } from './row/removedRow';
import type { StopHow, Stopping } from '../domain/queue/workerStop';
import type { Priority } from '../domain/task/priority';
import type { Clock } from '../platform/clock';
import type {
  Claim,
  RegisteredWorker,
  Hold,
  Owner,
  ProcessOwner,
  QueueView,
  SeenTask,
  TaskView,
} from '../domain/queue/view';

/**
 * Name of one call. A call that changed something is not repeated under the same name: the repetition gets the same
 * answer.
 */
export type OpId = string;

/** State of a queue at one moment. */
export interface Snapshot extends QueueView, Stopping {
  /** Number that grows with every change. */
  readonly revision: number;
  /** Problems of rows, or of the whole queue file. */
  readonly problems: readonly RowProblem[];
  /** Names in the header of the rows, trimmed and in lower case: also those that are no column of a queue. */
  readonly columns: readonly string[];
  /** Place of each task's row. */
  readonly places: ReadonlyMap<TaskId, Where>;
  /** Timer of the machine that starts workers on the queue, if one is installed. */
  readonly timer: Timer | null;
  /** Whether nothing was ever attempted or adopted. Logs beside the queue file are then another program's. */
  readonly isUntouched: boolean;
  /** Number of open tasks that vanished with all rows of the queue file, unless a command removed them. */
  readonly emptied: number;
  /** Registered workers that are known to have died, until a notice was raised for them. */
  readonly died: readonly RegisteredWorker[];
  /** Notices for the user that are not out of date, oldest first; also sent ones that may be observed again. */
  readonly outbox: readonly OutboxEntry[];
  /** Callbacks that were not delivered yet, oldest first. */
  readonly callbacks: readonly CallbackEntry[];
}

/** Request for a task: what may be claimed now, as the gate and the machine allow. */
export interface ClaimRequest extends Choice {
  readonly owner: Owner;
  /** Time at which the worker started. Earlier stop requests do not apply to it. */
  readonly since: EpochMs;
  readonly gate: GateView;
  readonly approvedRows: ApprovalSet;
  readonly settings: Settings;
  readonly timeZone: string;
  /** Session id (a UUID) to use if the task has no session to continue. */
  readonly freshSession: string;
  /** Time since when the worker has asked without a pause, and been answered; absent: it has not, or does not say. */
  readonly askingSince?: EpochMs;
  /** Time by which the worker's clock has just jumped ahead, in ms; absent: it has not. */
  readonly clockJumpMs?: number;
}

/** Claimed task, as it was at that moment: its row may be edited, invalid or gone when the attempt ends. */
export interface Claimed extends Pick<TaskView, 'definition' | 'state'> {
  readonly kind: 'claimed';
  readonly claim: Claim;
}

/** Result of a request without a claim: the reason, and the time to ask again. */
export interface Idle {
  readonly kind: 'idle';
  /** Null: only a change can help, not time alone. */
  readonly askAgainAt: EpochMs | null;
  readonly why: Reason;
  /** Whether a task waits only for a retry delay, a limit, the budget or another attempt. */
  readonly passesByItself: boolean;
  /** Whether only usage limits or the budget keep a task from starting. */
  readonly atLimit: boolean;
  /** Set if workers were asked to stop. */
  readonly stop?: StopHow;
}

/** Result of a registration. `taken`: the worker wants to be alone, and another is running. */
export type Registration =
  { readonly kind: 'enlisted' } | { readonly kind: 'taken'; readonly by: RegisteredWorker };

/**
 * Reference to a claim. It is refused once its token is not the newest of its task. The mark tells claims apart whose
 * token is the same: a Redis that lost its last second gives a token again.
 */
export type ClaimRef = Pick<Claim, 'id' | 'token' | 'mark'>;

/** The end of an attempt. `result`: the start of Claude's answer, for callbacks that other machines send. */
export interface End {
  readonly change: Change;
  readonly attempt: Attempt;
  readonly result?: string;
  /** Task as it ran. The logs name it, whatever its row says by now. */
  readonly definition: Definition;
}

/** A claim whose owner died. */
export interface Lost {
  readonly claim: Claim;
  readonly change: Change;
  readonly note: EndNote;
}

/** `stopped`: by its worker. `person`: by hand. `unchanged`: times are skipped. `postponed`: due a minute later. */
export type ReleaseReason = 'stopped' | 'person' | 'unchanged' | 'postponed';

/** Command of the user for one task. */
export type Verb = 'retry' | 'accept' | 'cancel';

/** Fields of a task by name, such as `prompt` or `working_dir`, each as a user writes it. */
export type TaskFields = Readonly<Record<string, string>>;

/** Task to add. Missing fields have their defaults. */
export interface TaskDraft {
  readonly fields: TaskFields;
  /** Tasks of the same call that it depends on too, by their index: they have no ids yet. */
  readonly after?: readonly number[];
  /** Where it was read, for messages: `tasks.txt, line 5`. */
  readonly place?: string;
}

/** Task that was added or edited, as it was given, even if the row changes right afterwards. */
export interface Added {
  readonly id: TaskId;
  readonly power: string;
}

/** Filter for attempts. */
export interface AttemptFilter {
  readonly id?: TaskId;
  readonly outcome?: Outcome;
  /** Started at this time or later. */
  readonly since?: EpochMs;
  /** Started before this time. */
  readonly until?: EpochMs;
  /** Most attempts to return; the newest count. */
  readonly limit?: number;
}

/** Hold to place. */
export type NewHold = Omit<Hold, 'at'>;

/** Filter for the holds to lift; a field that is absent matches any. */
export interface WhichHolds {
  /** Lift only these priorities, and only in holds on some priorities. */
  readonly priorities?: readonly Priority[];
  readonly by?: Hold['by'];
}

/**
 * Queue. Each call is one atomic step. A rejected call changed nothing, or the disk failed at the last moment
 * (`queue-unwritable`): repeated with the same name, it takes effect once.
 * Any call may throw the Problems `queue-missing`, `queue-unreadable`, `queue-incomplete`, `queue-locked`,
 * `queue-busy`, `queue-unwritable`, `state-newer`, `state-damaged`, `state-linked`, `other-machine`, `conflict`,
 * `no-such-task`.
 */
export interface TaskQueue extends PastReader<Snapshot> {
  /** Time of the queue: that of its machine, or of the server that several machines share. */
  now(): EpochMs;
  /** Returns everything at one moment. Never writes. */
  read(): Promise<Snapshot>;
  /** Returns those of these tasks that exist, in order. Does not tell which claims have a dead owner. */
  find(ids: readonly TaskId[]): Promise<readonly TaskView[]>;
  /** Calls back after any change by any process, coalesced, until the signal is aborted. */
  watch(changed: () => void, signal: AbortSignal): void;
  /** Returns the attempts that match, newest first. */
  attempts(filter: AttemptFilter): Promise<readonly Attempt[]>;
  /** Adds a task after the others. Returns its id, the next free one. */
  add(draft: TaskDraft, op: OpId): Promise<Added>;
  /** Adds tasks after the others, all or none. Their ids are the next free ones and consecutive. */
  addAll(drafts: readonly TaskDraft[], op: OpId): Promise<readonly Added[]>;
  /**
   * Removes tasks, all or none. Their history stays. Returns their rows in order; none when it is repeated.
   * @throws Problem `no-such-task`; `already-running`; `conflict` if a remaining task depends on one of them
   */
  remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]>;
  /**
   * Puts removed rows back as they were, where they were, all or none.
   * @throws Problem `conflict` if an id exists again, or the columns have changed; `usage` if a row depends on a missing
   * task, or closes a cycle
   */
  restore(rows: readonly RemovedRow[], op: OpId): Promise<void>;
  /**
   * Moves a task's row before that of another task; null: after all others. Where it is already, nothing changes.
   * @throws Problem `no-such-task`
   */
  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void>;
  /** Returns the texts of a task's row by column. @throws Problem `no-such-task` */
  cells(id: TaskId): Promise<TaskFields>;
  /**
   * Changes these fields of a task, and no other.
   * @throws Problem `no-such-task`; `usage` if there is no such field, or the task would be invalid, depend on a
   * missing task, or close a cycle
   */
  edit(id: TaskId, fields: TaskFields, op: OpId): Promise<Added>;
  /** Applies a command. `retry`: pending, retries from 0. `accept`: completed, reviewed. `cancel`: also ends an attempt. */
  command(id: TaskId, verb: Verb, op: OpId): Promise<void>;
  /** Answers the question of a task in review; its session resumes. @throws Problem `conflict` if it does not ask it */
  answer(id: TaskId, reply: Required<Answered>, op: OpId): Promise<void>;
  /**
   * Records the user's comment on a task's work. It is pending again, and its last session resumes with the comment.
   * @throws Problem `no-such-task`; `already-running`; `conflict` if it asks a question, or has no session
   */
  comment(id: TaskId, text: string, op: OpId): Promise<void>;
  /** Records that the changes of these attempts were undone. */
  recordUndo(id: TaskId, numbers: readonly number[], op: OpId): Promise<void>;
  /**
   * Approves rows that were finished and that an edit of the file alone made pending again. Rows whose fingerprint
   * has changed since are left as they are.
   */
  approve(rows: readonly SeenTask[], op: OpId): Promise<void>;
  /**
   * Claims the next task in the domain's order that `request` allows, or returns why there is none and when to ask again.
   */
  claim(request: ClaimRequest, op: OpId): Promise<Claimed | Idle>;
  /** Records what decides about such a request, as far as it has changed. */
  noteInputs(request: ClaimRequest, op: OpId): Promise<void>;
  /** Records the attempt's process, before it is given anything to do. @throws Fenced */
  start(ref: ClaimRef, run: ProcessIdentity, op: OpId): Promise<void>;
  /**
   * Checks a claim, and returns the cause if its attempt should stop. @throws Fenced if the claim is lost: end the
   * attempt at once.
   */
  renew(ref: ClaimRef, since: EpochMs): Promise<{ readonly stop?: StopCause }>;
  /**
   * Ends the attempt. Edits of the row made meanwhile stay. With `next`, claims the next task in the same step, unless
   * there is a claim of a dead worker: recover it first.
   * @throws Fenced
   */
  finish(ref: ClaimRef, end: End, op: OpId, next?: ClaimRequest): Promise<Claimed | Idle | undefined>;
  /** Releases a claim without an attempt. With `skip`, its due times are skipped. @throws Fenced */
  release(ref: ClaimRef, why: ReleaseReason, op: OpId, skip?: SkippedRun): Promise<void>;
  /**
   * Ends claims whose owner and process are dead. Returns each of them once, no matter which process calls, or how
   * often.
   */
  recover(rules: RecoverRules, op: OpId): Promise<readonly Lost[]>;
  /**
   * Places a hold: until it is resumed, no task, or none of its priorities, is claimed. Replaces a hold of the same
   * kind on the same priorities.
   */
  hold(hold: NewHold, op: OpId): Promise<void>;
  /**
   * Lifts all holds, resets the failure streak, and ends the waiting of tasks for a limit's reset. With `which` only
   * lifts these holds.
   */
  resume(op: OpId, which?: WhichHolds): Promise<void>;
  /** Adopts, once, the history that another program left. @throws Problem `conflict` if this queue has a history */
  adopt(adoption: Adoption, op: OpId): Promise<void>;
  /** Records that a timer of the machine was installed for the queue; null: that it was removed. */
  recordTimer(timer: NewTimer | null, op: OpId): Promise<void>;
  /** Records that the timer started a worker. */
  recordTimerStart(op: OpId): Promise<void>;
  /** Asks every registered worker to stop. */
  stop(how: StopHow, op: OpId): Promise<void>;
  /** Registers a worker. With `alone`, only if no other living one of its pool is on this machine: one of several succeeds. */
  register(worker: RegisteredWorker, how: { readonly alone: boolean }, op: OpId): Promise<Registration>;
  /** Unregisters a worker. A worker that died is unregistered by the next registration. */
  leave(worker: ProcessOwner, op: OpId): Promise<void>;
  /**
   * Raises observed notices that were not raised before. Returns all notices that this sender is to send by this
   * channel. Leaves out those that were sent, or that another living process is about to send.
   */
  claimNotices(request: NoticeRequest, op: OpId): Promise<readonly Notice[]>;
  /** Records that these notices were sent by this channel. */
  confirmNotices(channel: NoticeChannel, keys: readonly string[], op: OpId): Promise<void>;
  /** Returns callbacks that this sender is to send now, but none that another living process is about to send. */
  claimCallbacks(request: CallbackRequest, op: OpId): Promise<readonly CallbackEntry[]>;
  /** Records these tries of the sender. After the last one a callback that failed is dropped, with a notice. */
  settleCallbacks(sender: CallbackRequest['sender'], tries: readonly CallbackTry[], op: OpId): Promise<void>;
  /**
   * Archives what has ended, and deletes nothing. The last attempts of tasks in review stay, and so does what governs
   * later attempts. Returns the path of the archive. A second call archives what there is by then.
   * @throws Problem `already-running` while an attempt or a worker runs
   */
  reset(): Promise<string>;
  /**
   * Imports external edits, and updates what users see. What unsaved changes in an editor prevent follows by itself.
   * Does nothing in a store that shows users no file.
   */
  sync(): Promise<void>;
  /** Returns the claims of dead workers. Costs less than a snapshot: workers ask often. */
  readLost(): Promise<readonly Claim[]>;
  /**
   * Returns whether a worker or its attempt has died since the snapshot. No change is reported for that: a process
   * that waits for changes must ask from time to time.
   */
  hasLost(snapshot: Pick<Snapshot, 'workers' | 'claims'>): Promise<boolean>;
  /**
   * Returns a copy of the queue in memory, at the time of `clock`. What happens to it changes nothing else, and nobody dies
   * in it. Its rows are what `change` makes of them, under the same permission fingerprints, and stay so.
   */
  copy(clock: Pick<Clock, 'now'>, change: (definition: Definition) => Definition): Promise<TaskQueue>;
  /** Writes what is still due. */
  close(): Promise<void>;
}

/** Timer that was just installed. */
export type NewTimer = Pick<Timer, 'by' | 'crons' | 'machine' | 'timeZone'>;

/** History that another program left beside the queue file. */
export interface Adoption {
  /** Name of that program. */
  readonly from: string;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  readonly tasks: readonly AdoptedTask[];
}

/** Rules for the recovery of lost attempts. */
export interface RecoverRules {
  readonly settings: Settings;
  readonly timeZone: string;
  readonly random: number;
  /** Facts about the lost attempts, by mark. */
  readonly traces?: ReadonlyMap<string, AttemptFacts>;
  /** Recover only this task's attempt; absent: all. */
  readonly only?: TaskId;
}

/** Machine as a store sees it; tests pass their own. */
export interface Machine {
  /** Id of this machine among those that may share a folder. */
  readonly id: string;
  /** Returns whether exactly this process is alive. */
  isAlive(process: ProcessIdentity): boolean;
}
