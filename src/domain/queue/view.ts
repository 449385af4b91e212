import type { Answered, EndNote, Outcome, ResumeCause } from '../task/attempt';
import type { Slots } from '../order/slots';
import type { CallbackPlan } from './callbackPlan';
import type { ProcessIdentity } from '../task/processIdentity';
import type { ReachedBound } from './reachedBound';
import type { EpochMs } from '../time/epoch';
import type { OccurrenceFacts, SkippedTimes } from '../time/skippedTimes';
import type { Placed } from '../task/place';
import type { Priority } from '../task/priority';
import type { Definition, Status, TaskId } from '../task/task';

/** A worker process. Its process id is valid on its own machine only. */
export interface ProcessOwner {
  readonly kind: 'process';
  readonly worker: string;
  readonly machine: string;
  readonly process: ProcessIdentity;
  /** Pool of the worker, if any. */
  readonly pool?: string;
}

/** Returns a worker's name for people. */
export function nameWorker({ worker, pool }: ProcessOwner): string {
  return pool === undefined ? worker : `${worker} (${pool})`;
}

/** Whether both are the same process, provided that they are on one machine. */
export function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startedAt === b.startedAt;
}

/** Whether both are the same process of the same machine. */
export function isSameWorker(a: ProcessOwner, b: ProcessOwner): boolean {
  return a.machine === b.machine && isSameProcess(a.process, b.process);
}

/** Owner of a task: a worker process, or the user who does it by hand (`claude-queue next`). */
export type Owner = ProcessOwner | { readonly kind: 'person'; readonly machine: string };

/** Machine of the reader; absent: there is only one. */
export interface Reader {
  readonly machine?: string;
}

/** Whether a process or a user is known to be on another machine than the reader's. */
export function isFarFrom({ machine }: Reader, owner: Pick<Owner, 'machine'>): boolean {
  return machine !== undefined && machine !== owner.machine;
}

/** Whether the user of the reader's machine has the task. */
export function isUserHere(owner: Owner, reader: Reader): boolean {
  return owner.kind === 'person' && !isFarFrom(reader, owner);
}

/** A worker that is running on a queue, with or without a task. */
export interface RegisteredWorker {
  readonly owner: ProcessOwner;
  /** Time at which it started. */
  readonly since: EpochMs;
  /** It keeps the machine awake. */
  readonly keepsAwake?: true;
  /** A timer started it. */
  readonly byTimer?: true;
  /** Absent: it takes every task, or an older program registered it. */
  readonly takes?: WorkerChoice;
  /** Absent: it runs one task after another, or an older program registered it. */
  readonly slots?: Slots;
}

/** Tasks that may run on a worker's machine: all of them, or all but some. */
export interface WorkerApprovals {
  readonly trusted: boolean;
  readonly unapproved: readonly TaskId[];
}

/** A registered worker that lives. */
export interface LivingWorker extends RegisteredWorker {
  /** As it was when the worker last looked for a task; absent: it has not. */
  readonly approvals?: WorkerApprovals;
}

/** Tasks that a worker takes, as its options or its file say; each absent part: all. */
export interface WorkerChoice {
  readonly priorities?: readonly Priority[];
  readonly tags?: readonly string[];
  /** Tenants that are served first. */
  readonly users?: readonly string[];
  /** The other tenants that are served at all. */
  readonly stealFrom?: readonly string[];
}

/** A worker's exclusive right to a task. */
export interface Claim extends Placed, OccurrenceFacts {
  readonly id: TaskId;
  /** Permission fingerprint that was claimed; the row may have been edited since. */
  readonly power: string;
  /** Fencing token: grows with every claim of the queue; an older one is refused. */
  readonly token: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly owner: Owner;
  readonly at: EpochMs;
  readonly session: string;
  readonly resume?: ResumeCause;
  /** Session that this one replaces. */
  readonly handOver?: string;
  /** Claude's questions about the task with the user's answers, and the user's comments, oldest first. */
  readonly answered?: readonly Answered[];
  /** Names the run in the environment of all its processes. */
  readonly mark: string;
  /** The `claude` process, once it exists. */
  readonly run?: ProcessIdentity;
  /** Set when the user cancelled the task meanwhile. */
  readonly cancelled?: true;
  /** Set on reading, never stored: its worker is dead, and the next one returns the task to the queue. */
  readonly ownerDied?: true;
  /** Callbacks that its end causes; absent: none. */
  readonly callbacks?: CallbackPlan;
  /** Tenant of the task, where its row names one. */
  readonly user?: string;
  /** Effective priority at the claim. */
  readonly priority?: Priority;
  /** Priority of its row, where waiting had raised it by then. */
  readonly promotedFrom?: Priority;
  /** Number of its due times that passed without a run. */
  readonly missed?: number;
}

/** Reason why a pending task has a time of its own before which it does not run. */
export type DueCause = 'retry' | 'repeat' | 'limit';

/** A question from Claude that awaits the user's answer. */
export interface Question {
  readonly text: string;
  /** The session that asked it. */
  readonly session: string;
  /** Earlier questions with their answers. */
  readonly answered?: readonly Answered[];
}

/** A task as its row was at one moment: another permission fingerprint makes it another task. */
export type SeenTask = Pick<TaskState, 'id' | 'power'>;

/** Stored state of one task: of one id with one permission fingerprint. */
export interface TaskState {
  readonly id: TaskId;
  readonly power: string;
  readonly status: Status;
  readonly retryCount: number;
  /** `scheduled_time` as its owner wrote it. */
  readonly ownerScheduledAt: EpochMs | null;
  /** The program's own time: the task does not start before it. */
  readonly dueAt: EpochMs | null;
  readonly dueCause: DueCause | null;
  /** Stored field: due time of the occurrence that a repeating task retries or continues. The task waits since then. */
  readonly turnAt?: EpochMs;
  /** No attempt of the occurrence of `turnAt` has ended: due times after it pass without a run. */
  readonly turnWaits?: true;
  readonly firstSeenAt: EpochMs;
  /** When it last became `completed`, or succeeded as a repeating task. */
  readonly lastSuccessAt: EpochMs | null;
  /** Tree of its folder after the last success, and permissions of that (`nameUnchanged`), if they are known. */
  readonly successTree?: string;
  /** Session in which its next attempt continues, and the reason; null: a new one. */
  readonly session: string | null;
  readonly resume: ResumeCause | null;
  /**
   * Session that had grown too large. Where `session` is null, the next attempt starts another one. Kept until the
   * task's occurrence is over, since that attempt may end before it has started its session.
   */
  readonly handOver?: string;
  /** Set where the last attempt ended with a question. */
  readonly question?: Question;
  /** Answers and comments that its next attempt must know. Kept until the task's occurrence is over. */
  readonly answered?: readonly Answered[];
  readonly transientInRow: number;
  readonly lostInRow: number;
  /** Was finished, then set to pending by an edit of the file: waits for the user's approval. */
  readonly reopened: boolean;
  readonly lastOutcome: Outcome | null;
  readonly lastMessage: string | null;
  /** Facts about its last end in addition to the message, or in its place. */
  readonly lastNote?: EndNote;
  /** Its last attempt was refused tools. */
  readonly refused?: true;
  /** Its last attempt changed files, or one whose session that attempt continued. */
  readonly changed?: true;
  /** The changes of its last attempt were undone. */
  readonly undone?: true;
  /** Its last attempt succeeded, but neither Claude nor a check confirmed it. */
  readonly unconfirmed?: true;
  /** Its last attempt succeeded, and the user has not accepted that. */
  readonly unreviewed?: true;
  /** It has run, but its attempts and outputs were archived. */
  readonly untold?: true;
  /** Number of its due times that passed before the run that is due now; set once, when that is settled. */
  readonly missed?: number;
  /** Further catch-up runs, which start at once, one after another. */
  readonly owedRuns?: number;
  /** Number of these for times of the occurrence that is due now. */
  readonly caughtUp?: number;
  /** The run that is due now is a catch-up run. */
  readonly catchUp?: true;
  /** Due times since its last run that were skipped. */
  readonly skipped?: readonly SkippedTimes[];
}

/**
 * Whether the user may still accept the task's last attempt. This includes a repeating task whose last run ended in
 * review while its schedule continues.
 */
export function isInReview({ status, lastOutcome, dueCause }: TaskState): boolean {
  return status === 'review' || (status === 'pending' && lastOutcome === 'review' && dueCause === 'repeat');
}

/** Whether the user has not accepted the task's last attempt: it awaits review, or succeeded. */
export function isUnaccepted(state: TaskState): boolean {
  return isInReview(state) || state.unreviewed === true;
}

/** Returns the question that the user may answer now; undefined: none. */
export function openQuestion(state: TaskState): Question | undefined {
  return isInReview(state) ? state.question : undefined;
}

/** A valid row with its state and its claim. */
export interface TaskView {
  readonly definition: Definition;
  readonly state: TaskState;
  /** Position among the rows, from 0. */
  readonly order: number;
  readonly claim?: Claim;
}

/** Whether the task is unreviewed: it does not run, and the user has not accepted its last attempt. */
export function isUnreviewed({ claim, state }: TaskView): boolean {
  return claim === undefined && isUnaccepted(state);
}

/** A pause of the queue: no task starts under it, or none of these priorities. */
export interface Hold {
  /** The user, or a reached bound of a worker's work. */
  readonly by: 'person' | 'bounds';
  /** Text from the user; empty where the bound says it all. */
  readonly why: string;
  readonly bound?: ReachedBound;
  readonly at: EpochMs;
  /** Absent: all. */
  readonly priorities?: readonly Priority[];
}

/** A pause of the queue, or of some priorities, that is over. */
export interface Pause extends Pick<Hold, 'why' | 'bound' | 'priorities'> {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Attempts that failed one after another in the same way. */
export interface FailureStreak {
  readonly outcome: Outcome;
  readonly reason: string;
  /** Message of the last failure. */
  readonly message: string;
  readonly note?: EndNote;
  /** Tasks that failed so, each once, in the order of their first such failure. */
  readonly ids: readonly TaskId[];
  /** End of the first of these attempts; absent in earlier versions. */
  readonly since?: EpochMs;
}

/** Cost of an attempt, and when it became known. */
export interface Cost {
  readonly at: EpochMs;
  readonly usd: number;
}

/** State of a queue: its tasks, and what they have in common. */
export interface QueueView {
  readonly tasks: readonly TaskView[];
  /** Ids of unreadable rows. No task that depends on one runs. */
  readonly invalidIds: ReadonlySet<TaskId>;
  readonly claims: readonly Claim[];
  readonly holds: readonly Hold[];
  /** Latest ended pauses. */
  readonly pauses: readonly Pause[];
  /** The same failure in a row, until something succeeds or fails otherwise. */
  readonly streak: FailureStreak | null;
  /** Stored field: token of the last claim by tenant ('' for rows without one). The tenant served longest ago is next. */
  readonly turns: ReadonlyMap<string, number>;
  /** Start times of the attempts of the last 24 hours, oldest first. */
  readonly starts: readonly EpochMs[];
  /** Costs of the attempts of the last day and a half, oldest first. */
  readonly costs: readonly Cost[];
  /** Number of unreviewed tasks (`isUnreviewed`). */
  readonly unreviewed: number;
}
