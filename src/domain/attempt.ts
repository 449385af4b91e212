import type { EpochMs } from './epoch';
import type { Priority } from './priority';
import type { Definition, TaskId } from './task';
import type { LimitSignal, WindowUsage } from './limits';

/** How an attempt ended; each ends in exactly one of these. */
export const OUTCOMES = [
  'success',
  'review',
  'error',
  'transient',
  'limit',
  'blocked',
  'permanent',
  'cancelled',
  'lost',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A process, told apart from a later one that re-used its number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the machine's own words: compared, never parsed. */
  readonly startedAt: string;
}

/** A tool call of Claude's that nobody had allowed. */
export interface Denial {
  readonly tool: string;
  /** The refused call in short: a command, or a file's path. */
  readonly detail: string;
}

/** What is known of an attempt when it has ended, from facts and never from the answer's text. */
export interface Verdict {
  readonly outcome: Outcome;
  /** A short word for why: `done`, `five_hour`, `timeout`, `verify-failed`, `error_max_turns`, `auth`… */
  readonly reason: string;
  /** One line fit for a person. */
  readonly message: string;
  /** For `limit` and `blocked`: what the gate has to know. */
  readonly signal?: LimitSignal;
  readonly denials: readonly Denial[];
  /** Fill levels of the account's windows, as the run was told them. */
  readonly usage: readonly WindowUsage[];
  readonly turns?: number;
  readonly costUsd?: number;
  readonly model?: string;
  /** Version of the `claude` that ran. */
  readonly version?: string;
  /** Process exit code; null where a signal ended it. */
  readonly exitCode: number | null;
}

/** The reason of a `transient` end after which the task begins anew: its session can be neither gone on in nor begun. */
export const SESSION_UNUSABLE = 'session-unusable';

/** The reason of an end that a person told of a task which they had in hand. */
export const BY_HAND = 'by-hand';

/** Why an attempt goes on in an earlier one's session. */
export type ResumeCause = 'limit' | 'lost' | 'stopped' | 'retry';

/** Everything a runner needs for one attempt. */
export interface Job {
  readonly definition: Definition;
  /** The Claude Code session of this task: started by its first attempt, gone on in by the others. */
  readonly session: string;
  /** Set where an earlier attempt used the session. */
  readonly resume?: ResumeCause;
  /** Where the output goes as it comes. */
  readonly outputFile: string;
  /** Bound of its duration; time in which the machine sleeps does not count. */
  readonly timeoutMs: number;
  /** Names this attempt in the environment of the run and of all its children. */
  readonly runMark: string;
}

/** Why a run is ended from outside. */
export type StopCause = 'stopped' | 'cancelled' | 'fenced';

/** What a run tells while it goes on. */
export interface RunEvents {
  /** The process exists but has not seen the prompt yet, and does not until this has resolved. */
  started(process: ProcessIdentity): Promise<void>;
  /** A line fit for a terminal. */
  line(text: string): void;
}

/** Runs one attempt to its end. Never rejects for anything that the run itself did. */
export interface Runner {
  run(job: Job, events: RunEvents, stop: AbortSignal): Promise<Verdict>;
}

/** One attempt in the history. */
export interface Attempt {
  readonly id: TaskId;
  /** Counts the task's attempts from 1. */
  readonly number: number;
  readonly power: string;
  readonly session: string | null;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly message: string;
  /** Exit code of `claude-queue run` for it, which is also what the logs hold. */
  readonly code: number;
  /** Name of its file in `outputs/`. */
  readonly output?: string;
  /** For `limit`: since when the gate has been closed. */
  readonly closedSince?: EpochMs;
  readonly costUsd?: number;
  readonly turns?: number;
  readonly denials?: readonly Denial[];
  /** The class in which it was served. */
  readonly priority?: Priority;
  /** From when its task began to wait until it began. */
  readonly waitedMs?: number;
  /** It ended after its task's service time, or deadline. */
  readonly late?: true;
  /** How many of its task's times had gone by without a run. */
  readonly missed?: number;
}

/** The name of an attempt's file in `outputs/`. */
export function outputName(id: TaskId, attempt: number): string {
  return `task-${String(id)}-attempt-${String(attempt)}.jsonl`;
}
