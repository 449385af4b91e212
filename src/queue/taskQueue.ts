import type { Answered, Attempt, AttemptFacts, Outcome, StopCause } from '../domain/task/attempt';
import type { ProcessIdentity } from '../domain/task/processIdentity';
import type { Change } from '../domain/task/decide';
import type { Reason } from '../domain/reasons/reason';
import type { ApprovalCheck } from '../domain/task/approval';
import type { GateView } from '../domain/gate/limits';
import type { Choice } from '../domain/order/order';
import type { RowProblem, Where } from '../domain/problem';
import type { Notice, NoticeChannel, NoticeSender, OutboxEntry } from '../domain/queue/notices';
import type { AdoptedTask } from '../domain/task/scriptsHistory';
import type { Settings } from '../domain/settings/settings';
import type { EpochMs } from '../domain/time/epoch';
import type { Timer } from '../domain/queue/silence';
import type { Definition, TaskId } from '../domain/task/task';
import type { Priority } from '../domain/task/priority';
import type {
  Claim,
  RegisteredWorker,
  Hold,
  Owner,
  ProcessOwner,
  QueueView,
  SeenTask,
} from '../domain/queue/view';

/** Names one call; repeating a call that changed something with the same name does nothing more, and answers as the first. */
export type OpId = string;

/** Everything at one moment. */
export interface Snapshot extends QueueView {
  /** Grows with every change. */
  readonly revision: number;
  /** Tasks, or a whole queue, that cannot be understood. */
  readonly problems: readonly RowProblem[];
  /** Where the user finds each task. */
  readonly places: ReadonlyMap<TaskId, Where>;
  /** The timer of the machine that starts workers on the queue, where one is installed. */
  readonly timer: Timer | null;
  /** Whether nothing was ever attempted or adopted: logs beside the queue file are then another program's. */
  readonly isUntouched: boolean;
  /** The newest request to stop workers, if any. */
  readonly stop: StopRequest | null;
  /** This machine's living workers that have enlisted, first come first. */
  readonly workers: readonly RegisteredWorker[];
  /** This machine's enlisted workers that died, until that was raised as a notice. */
  readonly died: readonly RegisteredWorker[];
  /** Notices for the user that are in date, oldest first, also those that were sent and may be found again. */
  readonly outbox: readonly OutboxEntry[];
}

/** `after-task` lets what runs come to its end; `now` ends it, to be resumed. */
export type StopHow = 'after-task' | 'now';

/** Meant for every worker that was there when it was made. */
export interface StopRequest {
  readonly how: StopHow;
  readonly at: EpochMs;
}

/** What a claimer may take now; the gate and the machine speak through it. */
export interface ClaimRequest extends Choice {
  readonly owner: Owner;
  /** Since when this worker works: stop requests from before do not concern it. */
  readonly since: EpochMs;
  readonly gate: GateView;
  readonly approvedRows: ApprovalCheck;
  readonly settings: Settings;
  readonly timeZone: string;
  /** The session to start where the task has none to continue in (a UUID). */
  readonly freshSession: string;
}

/** A task for the claimer, as its row was at that moment. */
export interface Claimed {
  readonly kind: 'claimed';
  readonly claim: Claim;
  readonly definition: Definition;
}

/** Nothing to claim: when to ask again, and why. */
export interface Idle {
  readonly kind: 'idle';
  /** Null: not by time alone, but after a change. */
  readonly askAgainAt: EpochMs | null;
  readonly why: Reason;
  /** Whether something waits only for back-off, limit, budget or another run. */
  readonly passesByItself: boolean;
  /** Whether only the account's limits or the budget keep something from running. */
  readonly atLimit: boolean;
  /** Set when workers were asked to stop. */
  readonly stop?: StopHow;
}

/** Whether a worker may start; one that wants to be alone is told who is there already. */
export type Registration =
  { readonly kind: 'enlisted' } | { readonly kind: 'taken'; readonly by: RegisteredWorker };

/** Names a claim; refused once its token is not the newest of its task. */
export type ClaimRef = Pick<Claim, 'id' | 'token'>;

/** The end of an attempt. */
export interface End {
  readonly change: Change;
  readonly attempt: Attempt;
  /** What ran: logs tell of it, whatever the row says by now. */
  readonly definition: Definition;
}

/** A claim whose owner died. */
export interface Lost {
  readonly claim: Claim;
  readonly change: Change;
}

/** `stopped`: a worker that stopped, or could not start; `person`: given back by hand. */
export type ReleaseReason = 'stopped' | 'person';

/** What the user decides about one task. */
export type Verb = 'retry' | 'accept' | 'cancel';

/** Fields of a task by name, such as `prompt` or `working_dir`, each as a user writes it. */
export type TaskFields = Readonly<Record<string, string>>;

/** A task to add. A field that is not given has its default. */
export interface TaskDraft {
  readonly fields: TaskFields;
}

/** A task that was added or edited, as it was given: whatever somebody makes of it a moment later. */
export interface Added {
  readonly id: TaskId;
  readonly power: string;
}

/** Which attempts to tell of. */
export interface AttemptFilter {
  readonly id?: TaskId;
  readonly outcome?: Outcome;
  /** Started at this time or later. */
  readonly since?: EpochMs;
  /** Started before this time. */
  readonly until?: EpochMs;
  /** The newest of them, as many. */
  readonly limit?: number;
}

/** A hold that somebody asks for. */
export type NewHold = Omit<Hold, 'at'>;

/** Which holds to lift: absent is any. */
export interface WhichHolds {
  /** Only out of holds on some priorities, and only these. */
  readonly priorities?: readonly Priority[];
  readonly by?: Hold['by'];
}

/**
 * One queue. Each call is one atomic step. A rejected call changed nothing, or its disk failed it at the last moment
 * (`queue-unwritable`): repeated with the same name, it is done once. Problems of any call: `queue-missing`,
 * `queue-unreadable`, `queue-incomplete`, `queue-locked`, `queue-busy`, `queue-unwritable`, `state-newer`, `state-damaged`,
 * `state-linked`, `other-machine`, `conflict`, `no-such-task`.
 */
export interface TaskQueue {
  /** Everything at one moment. Never writes. */
  read(): Promise<Snapshot>;
  /** Calls back after any change by anyone, coalesced, until the signal is aborted. */
  watch(changed: () => void, signal: AbortSignal): void;
  /** History, newest first. */
  attempts(filter: AttemptFilter): Promise<readonly Attempt[]>;
  /** Adds a task behind the others with the next free id, and gives the id. */
  add(draft: TaskDraft, op: OpId): Promise<Added>;
  /** Adds tasks behind the others, all or none, with the next free ids, which are consecutive. */
  addAll(drafts: readonly TaskDraft[], op: OpId): Promise<readonly Added[]>;
  /**
   * Removes tasks, all or none; their history stays. @throws Problem `no-such-task`; `already-running`; `usage` where a
   * task that stays depends on one of them
   */
  remove(ids: readonly TaskId[], op: OpId): Promise<void>;
  /**
   * Changes these fields of a task, and no other. @throws Problem `no-such-task`; `usage` when there is no such field, or
   * the task would not be understood, depends on what is not there, or closes a cycle
   */
  edit(id: TaskId, fields: TaskFields, op: OpId): Promise<Added>;
  /** retry: pending again at once, retries from 0; accept: completed; cancel: also a running one, which is then ended. */
  command(id: TaskId, verb: Verb, op: OpId): Promise<void>;
  /**
   * Answers the question that a task in review asks: its next attempt resumes the session with the answer; retries are
   * unchanged. @throws Problem `conflict` where the task does not ask this question
   */
  answer(id: TaskId, reply: Answered, op: OpId): Promise<void>;
  /**
   * The user has seen these rows, which were finished and are pending again by the file alone. A row whose power is
   * another by now is left as it is.
   */
  approve(rows: readonly SeenTask[], op: OpId): Promise<void>;
  /** The next by the domain's order among what `want` allows, or when to ask again and why. */
  claim(request: ClaimRequest, op: OpId): Promise<Claimed | Idle>;
  /** Records the process that works on it, before it is given anything to do. @throws Fenced */
  start(ref: ClaimRef, run: ProcessIdentity, op: OpId): Promise<void>;
  /** Whether the claim still holds, and whether to stop. @throws Fenced once it does not: end the run at once. */
  renew(ref: ClaimRef, since: EpochMs): Promise<{ readonly stop?: StopCause }>;
  /** Ends the attempt; edits of the row made meanwhile stay. With `next`, claims in the same step. @throws Fenced */
  finish(ref: ClaimRef, end: End, op: OpId, next?: ClaimRequest): Promise<Claimed | Idle | undefined>;
  /** Gives back unrun. @throws Fenced */
  release(ref: ClaimRef, why: ReleaseReason, op: OpId): Promise<void>;
  /** Ends claims whose owner and run are dead, and tells of each once, no matter who calls, and however often. */
  recover(rules: RecoverRules, op: OpId): Promise<readonly Lost[]>;
  /** Nothing, or nothing of its priorities, is claimed until resumed. It replaces a hold by the same on the same. */
  hold(hold: NewHold, op: OpId): Promise<void>;
  /**
   * Lifts all holds, forgets the failures in a row, and ends the waiting of tasks for a limit's reset. With `which` it
   * only lifts those holds.
   */
  resume(op: OpId, which?: WhichHolds): Promise<void>;
  /** Takes over, once, the history that another program left. @throws Problem `conflict` where this queue has a history */
  adopt(adoption: Adoption, op: OpId): Promise<void>;
  /** Notes that a timer of the machine was installed for the queue; null: that it was removed. */
  noteTimer(timer: NewTimer | null, op: OpId): Promise<void>;
  /** Notes that the timer started a worker. */
  noteTimerStart(op: OpId): Promise<void>;
  /** Asks every worker that is there to stop. */
  stop(how: StopHow, op: OpId): Promise<void>;
  /**
   * Puts a worker on record while it works. With `alone` only where no other living worker of its pool is on this
   * machine: of several that start at once, one is enlisted.
   */
  register(worker: RegisteredWorker, how: { readonly alone: boolean }, op: OpId): Promise<Registration>;
  /** Its work is over. One that died is forgotten by the next that enlists. */
  leave(worker: ProcessOwner, op: OpId): Promise<void>;
  /**
   * Raises what was observed, unless it was before, and gives all notices that this sender is to send by this channel:
   * those that nobody has sent, and that no other living process is about to send.
   */
  claimNotices(request: NoticeRequest, op: OpId): Promise<readonly Notice[]>;
  /** Records that these notices were sent by this channel. */
  confirmNotices(channel: NoticeChannel, keys: readonly string[], op: OpId): Promise<void>;
  /**
   * Puts the history away, deletes nothing: what has ended, but for the last attempts that await the user's eye. What
   * governs what comes next stays. Says where it was put; called again, it archives what there is by then.
   * @throws Problem `already-running` while anything runs, or a worker is running
   */
  reset(): Promise<string>;
  /**
   * Imports what users changed where they see the queue, and brings what they see up to date. What an editor's unsaved
   * changes prevent follows by itself. A store that shows users nothing of its own does nothing.
   */
  sync(): Promise<void>;
  /**
   * Whether a worker or its attempt has died since this was read. No call tells: anyone who waits for changes asks from time
   * to time.
   */
  hasLost(snapshot: Pick<Snapshot, 'workers' | 'claims'>): Promise<boolean>;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** Who asks for notices to send. */
export interface NoticeRequest {
  readonly channel: NoticeChannel;
  readonly sender: NoticeSender;
  /** What was found by looking at the queue, its time and its account. */
  readonly observed: readonly Notice[];
}

/** A timer that was installed just now. */
export type NewTimer = Pick<Timer, 'by' | 'crons'>;

/** The history that another program left beside the queue file. */
export interface Adoption {
  /** That program. */
  readonly from: string;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  readonly tasks: readonly AdoptedTask[];
}

/** What recovery needs to decide about a lost run. */
export interface RecoverRules {
  readonly settings: Settings;
  readonly timeZone: string;
  readonly random: number;
  /** What is known of the lost runs, by their marks. */
  readonly traces?: ReadonlyMap<string, AttemptFacts>;
  /** Only this task's run; absent: all. */
  readonly only?: TaskId;
}

/** What a store needs of the machine; tests pass their own. */
export interface Machine {
  /** This machine, among those that may share a folder. */
  readonly id: string;
  /** Whether that very process lives. */
  isAlive(process: ProcessIdentity): boolean;
}
