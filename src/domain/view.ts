import type { Outcome, ProcessIdentity, ResumeCause } from './attempt';
import type { EpochMs } from './epoch';
import type { Definition, Status, TaskId } from './task';

/** A worker process. Its id means something on its own machine only. */
export interface ProcessOwner {
  readonly kind: 'process';
  readonly worker: string;
  readonly machine: string;
  readonly process: ProcessIdentity;
}

/** Whether both are the very same process. */
export function isSameWorker(a: ProcessOwner, b: ProcessOwner): boolean {
  return (
    a.machine === b.machine && a.process.pid === b.process.pid && a.process.startedAt === b.process.startedAt
  );
}

/** Who has a task: a worker process, or a person who does it by hand (`claude-queue next`). */
export type Owner = ProcessOwner | { readonly kind: 'person'; readonly machine: string };

/** A worker that is at work on a queue, with or without a task. */
export interface EnlistedWorker {
  readonly owner: ProcessOwner;
  /** Since when it works. */
  readonly since: EpochMs;
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
  /** Names the run in the environment of all its processes. */
  readonly mark: string;
  /** The `claude` process, once it exists. */
  readonly run?: ProcessIdentity;
  /** Set when a person cancelled the task meanwhile. */
  readonly cancelled?: true;
  /** Only in what is read, never kept: its worker is dead, and the next one gives the task back. */
  readonly ownerDied?: true;
}

/** Why a pending task has a time of its own before which it does not run. */
export type DueCause = 'retry' | 'repeat' | 'limit';

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
  readonly firstSeenAt: EpochMs;
  /** When it last became `completed`, or succeeded as a repeating task. */
  readonly lastSuccessAt: EpochMs | null;
  /** The session that its next attempt goes on in, and why; null: a new one. */
  readonly session: string | null;
  readonly resume: ResumeCause | null;
  readonly transientInRow: number;
  readonly lostInRow: number;
  /** Finished before and made pending by the file alone: waits for a person's approval. */
  readonly reopened: boolean;
  readonly lastOutcome: Outcome | null;
  readonly lastMessage: string | null;
}

/** A valid row with all that is known of it. */
export interface TaskView {
  readonly definition: Definition;
  readonly state: TaskState;
  /** Position among the rows, from 0. */
  readonly order: number;
  readonly claim?: Claim;
}

/** What is common to all tasks of a queue. */
export interface QueueView {
  readonly tasks: readonly TaskView[];
  /** Ids of rows that cannot be understood: nothing that depends on one runs. */
  readonly invalidIds: ReadonlySet<TaskId>;
  readonly claims: readonly Claim[];
  /** Why the queue is held by a person; null when it is not. */
  readonly held: string | null;
  /** When the attempts of the last 24 hours began, oldest first. */
  readonly starts: readonly EpochMs[];
}
