import type { Answered, EndNote, Outcome, ResumeCause } from '../task/attempt';
import type { ProcessIdentity } from '../task/processIdentity';
import type { ReachedBound } from './reachedBound';
import type { EpochMs } from '../time/epoch';
import type { SkippedTimes } from '../time/skippedTimes';
import type { Priority } from '../task/priority';
import type { Definition, Status, TaskId } from '../task/task';

/** A worker process. Its id means something on its own machine only. */
export interface ProcessOwner {
  readonly kind: 'process';
  readonly worker: string;
  readonly machine: string;
  readonly process: ProcessIdentity;
  /** The pool that it works in, where it is one of a pool. */
  readonly pool?: string;
}

/** A worker's name for people. */
export function nameWorker({ worker, pool }: ProcessOwner): string {
  return pool === undefined ? worker : `${worker} (${pool})`;
}

/** Whether both are the very same process of one machine. */
export function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startedAt === b.startedAt;
}

/** Whether both are the very same process. */
export function isSameWorker(a: ProcessOwner, b: ProcessOwner): boolean {
  return a.machine === b.machine && isSameProcess(a.process, b.process);
}

/** Who has a task: a worker process, or the user who does it by hand (`claude-queue next`). */
export type Owner = ProcessOwner | { readonly kind: 'person'; readonly machine: string };

/** A worker that is running on a queue, with or without a task. */
export interface RegisteredWorker {
  readonly owner: ProcessOwner;
  /** Since when it works. */
  readonly since: EpochMs;
  /** It holds off the machine's sleep. */
  readonly keepsAwake?: true;
}

/** A worker's exclusive right to a task. */
export interface Claim {
  readonly id: TaskId;
  /** The power that was claimed; the row may have been edited since. */
  readonly power: string;
  /** Fencing token: grows with every claim of the queue; an older one is refused. */
  readonly token: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly owner: Owner;
  readonly at: EpochMs;
  readonly session: string;
  readonly resume?: ResumeCause;
  /** The session that this one takes the place of. */
  readonly handOver?: string;
  /** What Claude asked about the task and the user answered, oldest first. */
  readonly answered?: readonly Answered[];
  /** Names the run in the environment of all its processes. */
  readonly mark: string;
  /** Where it works, whatever becomes of its row; claims of older programs do not tell. */
  readonly workingDir?: string;
  /** The `claude` process, once it exists. */
  readonly run?: ProcessIdentity;
  /** Set when the user cancelled the task meanwhile. */
  readonly cancelled?: true;
  /** Only in what is read, never kept: its worker is dead, and the next one gives the task back. */
  readonly ownerDied?: true;
  /** Whose task it is, where its row said so. */
  readonly user?: string;
  /** The class in which it was served. */
  readonly priority?: Priority;
  /** How many of its times had gone by without a run. */
  readonly missed?: number;
  /** The due time of its turn; absent for a task that has none, and for a run that makes up for another one. */
  readonly dueAt?: EpochMs;
  /** It makes up for a missed time. */
  readonly catchUp?: true;
  /** Due times before it that got no run of their own. */
  readonly skipped?: readonly SkippedTimes[];
}

/** Why a pending task has a time of its own before which it does not run. */
export type DueCause = 'retry' | 'repeat' | 'limit';

/** A question of Claude's that awaits the user's answer. */
export interface Question {
  readonly text: string;
  /** The session that asked it. */
  readonly session: string;
  /** What was asked and answered before. */
  readonly answered?: readonly Answered[];
}

/** A task as its row was at one moment: another power makes it another task. */
export type SeenTask = Pick<TaskState, 'id' | 'power'>;

/** What is remembered of one task: of one id with one power. */
export interface TaskState {
  readonly id: TaskId;
  readonly power: string;
  readonly status: Status;
  readonly retryCount: number;
  /** `scheduled_time` as its owner wrote it. */
  readonly ownerScheduledAt: EpochMs | null;
  /** The program's own time: not before it. */
  readonly dueAt: EpochMs | null;
  readonly dueCause: DueCause | null;
  /** When a repeating task's turn came that is tried again, or continued with: it waits since then. */
  readonly turnAt?: EpochMs;
  readonly firstSeenAt: EpochMs;
  /** When it last became `completed`, or succeeded as a repeating task. */
  readonly lastSuccessAt: EpochMs | null;
  /** The session that its next attempt continues in, and why; null: a new one. */
  readonly session: string | null;
  readonly resume: ResumeCause | null;
  /**
   * The session that had grown too large for it; where `session` is null, the next attempt starts another one. It is
   * kept until the task's turn is over, since that one may come to its end before it has started.
   */
  readonly handOver?: string;
  /** Set where the last attempt ended with a question. */
  readonly question?: Question;
  /** The answers that its next attempt must know. They are kept until the task's turn is over. */
  readonly answered?: readonly Answered[];
  readonly transientInRow: number;
  readonly lostInRow: number;
  /** Finished before and made pending by the file alone: waits for the user's approval. */
  readonly reopened: boolean;
  readonly lastOutcome: Outcome | null;
  readonly lastMessage: string | null;
  /** What is known of its last end besides the message, or in its place. */
  readonly lastNote?: EndNote;
  /** Its last attempt was refused tools. */
  readonly refused?: true;
  /** Its last attempt succeeded, but neither Claude nor a check confirmed it. */
  readonly unconfirmed?: true;
  /** It has run, but its attempts and outputs were archived. */
  readonly untold?: true;
  /** How many of its times went by before the run that is due now; told once, when that is settled. */
  readonly missed?: number;
  /** Further runs that it makes up for at once, one after another. */
  readonly owedRuns?: number;
  /** How many of these are for times of the turn that is due now. */
  readonly caughtUp?: number;
  /** The run that is due now is one of them. */
  readonly catchUp?: true;
  /** Due times since its last run that were skipped. */
  readonly skipped?: readonly SkippedTimes[];
}

/**
 * Whether the user may still accept the task's last attempt. A repeating task keeps its schedule; what its last run
 * wants an eye for can be accepted all the same.
 */
export function isInReview({ status, lastOutcome, dueCause }: TaskState): boolean {
  return status === 'review' || (status === 'pending' && lastOutcome === 'review' && dueCause === 'repeat');
}

/** The question that a user may answer now; undefined where there is none. */
export function openQuestion(state: TaskState): Question | undefined {
  return isInReview(state) ? state.question : undefined;
}

/** A valid row with all that is known of it. */
export interface TaskView {
  readonly definition: Definition;
  readonly state: TaskState;
  /** Position among the rows, from 0. */
  readonly order: number;
  readonly claim?: Claim;
}

/** A pause of the queue: nothing is started under it, or nothing of these priorities. */
export interface Hold {
  /** The user, or the bounds of a stretch of work that were reached. */
  readonly by: 'person' | 'bounds';
  /** What the user said; empty where the bound says it all. */
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
  /** Of the last of them. */
  readonly message: string;
  readonly note?: EndNote;
  /** The tasks that failed so, each once, in the order in which they first did. */
  readonly ids: readonly TaskId[];
}

/** What an attempt has cost, and when that was known. */
export interface Cost {
  readonly at: EpochMs;
  readonly usd: number;
}

/** What is common to all tasks of a queue. */
export interface QueueView {
  readonly tasks: readonly TaskView[];
  /** Ids of rows that cannot be understood: nothing that depends on one runs. */
  readonly invalidIds: ReadonlySet<TaskId>;
  readonly claims: readonly Claim[];
  readonly holds: readonly Hold[];
  /** The hold under which nothing at all is started; null where there is none. */
  readonly held: Hold | null;
  /** The last pauses that are over. */
  readonly pauses: readonly Pause[];
  /** The same failure in a row, until something succeeds or fails otherwise. */
  readonly streak: FailureStreak | null;
  /** When a worker last claimed a task of each tenant ('' for rows without one): the token of that claim. */
  readonly turns: ReadonlyMap<string, number>;
  /** When the attempts of the last 24 hours started, oldest first. */
  readonly starts: readonly EpochMs[];
  /** What the attempts of the last day and a half have cost, oldest first. */
  readonly costs: readonly Cost[];
}
