import type { ProcessIdentity } from './processIdentity';
import type { EpochMs } from '../time/epoch';
import type { OccurrenceFacts } from '../time/skippedTimes';
import type { Place, Placed } from './place';
import type { Priority } from './priority';
import type { Definition, PermissionMode, Status, TaskId } from './task';
import type { LimitSignal, WindowUsage } from '../gate/gate';

/** Outcomes of an attempt; each attempt ends in exactly one. */
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

/** A tool call of Claude that was not allowed. */
export interface Denial {
  readonly tool: string;
  /** The refused call in short: a command, or a file's path. */
  readonly detail: string;
  /** Narrowest rule for `--allowedTools` that allows this call; absent: there is none. */
  readonly rule?: string;
  /** Reason why there is no such rule, as the rest of a sentence. */
  readonly noRule?: string;
}

/** Tokens that a run used. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Reasons why it is not known whether a check passed before an attempt. */
export const UNKNOWN_CAUSES = [
  /** The files before or after the attempt are not known, or could not be written. */
  'files',
  /** The set-up command failed, did not end or could not run. */
  'setup',
  'timeout',
  'could-not-run',
  /** It fails in a copy of the files after the attempt too, where it has passed: a copy is no place for it. */
  'fails-in-copies',
  /** It names the working directory by its path, so it would look there and not at the copy. */
  'names-folder',
  /** An earlier attempt had worked on the task. */
  'continued',
  'stopped',
] as const;
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number];

/** Result of a check on a copy of the files as they were before the attempt. */
export interface CheckBefore extends CheckEnd {
  readonly result: 'passed' | 'failed' | 'unknown';
  /** Set for `unknown`. */
  readonly cause?: UnknownCause;
  /** Time that everything took, with the set-up. */
  readonly ms: number;
}

/** End of the program that decided a check: the check itself, or its set-up. */
interface CheckEnd {
  /** Null: it did not end by itself, or could not start. */
  readonly exitCode: number | null;
  /** Signal that ended it, not sent by this program: `SIGSEGV`. */
  readonly signal?: string;
  /** End of its output, or why there is none; without secrets. */
  readonly output: string;
}

/** Result of a row's own check. */
export interface CheckRun extends CheckEnd {
  readonly result: 'passed' | 'failed' | 'timeout' | 'could-not-run';
  readonly ms: number;
  /** Absent: it did not pass, or was not to run on the files before the attempt. */
  readonly before?: CheckBefore;
}

/**
 * Size of the change that git sees in the working directory from before to after the run. The row's check comes later.
 */
export interface DiffSize {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** Permissions of a run. */
export interface Permissions {
  readonly mode: PermissionMode;
  /** Rules as `--allowedTools` takes them. */
  readonly tools: readonly string[];
}

/** Payment for a run: the subscription of the signed-in account, an API key, or an account with a cloud provider. */
export type Billing = 'subscription' | 'api-key' | 'cloud' | 'none';

/** Ways of payment that the user may choose. `auto`: a subscription where there is one, else what there is. */
export const BILLING_CHOICES = ['auto', 'subscription', 'api-key'] as const;
export type BillingChoice = (typeof BILLING_CHOICES)[number];

/** Ends of its work that Claude may report. */
export const REPORTED_ENDS = ['finished', 'could_not', 'needs_answer'] as const;
export type ReportedEnd = (typeof REPORTED_ENDS)[number];

/** Facts about an end that only this program knows. `redis-away`: its worker ended it, since it could not reach Redis. */
export type EndNote =
  | { readonly kind: 'stopped' | 'cancelled' | 'written-by-scripts' | 'undecided-by-scripts' }
  | { readonly kind: 'timed-out'; readonly afterMs?: number }
  /** It was stopped so that this task could start. */
  | { readonly kind: 'made-way'; readonly for: TaskId }
  | { readonly kind: 'owner-died' | 'redis-away'; readonly worker: string | null }
  | {
      readonly kind: 'history-lost';
      readonly worker: string | null;
      readonly status: Status;
      readonly attempt: number;
    }
  | { readonly kind: 'ended-by-scripts'; readonly log: string; readonly code: number };

/** Facts about a run besides its outcome, as the history keeps them. */
export interface AttemptFacts {
  /** Facts about the end in addition to the message, or in its place. */
  readonly note?: EndNote;
  /** Claude's report at a clean end. `none`: it was asked and did not report. Absent: it was not asked. */
  readonly report?: ReportedEnd | 'none';
  /** Sentence that Claude reported with it. */
  readonly reportReason?: string;
  readonly turns?: number;
  readonly costUsd?: number;
  readonly tokens?: Tokens;
  readonly model?: string;
  /** Version of the `claude` that ran. */
  readonly version?: string;
  /** Time that it waited for the model. */
  readonly apiMs?: number;
  /** Word of the last output line for how it ended. */
  readonly subtype?: string;
  /** Word of the last output line for why it ended. */
  readonly terminalReason?: string;
  /** When it ended, Claude Code had warned that a limit of the account is near. */
  readonly limitWarning?: true;
  /** Number of tokens in its session when it ended. Every further request in the session reads them again. */
  readonly contextTokens?: number;
  readonly check?: CheckRun;
  readonly diff?: DiffSize;
  /** More may have changed than `diff` counts: something is left out of it. */
  readonly isDiffPartial?: true;
  /** Whether a test file is among the changed ones. */
  readonly changedTests?: boolean;
  /** Hash of all files in its folder that git does not ignore, as they were when it ended. */
  readonly tree?: string;
  readonly permissions?: Permissions;
  readonly billing?: Billing;
  /** The file in `outputs/` of an earlier run with this attempt's number: the history lost that run, and the task ran again. */
  readonly earlierOutput?: string;
}

/** Result of an attempt, from facts and never from the answer's text. */
export interface Verdict extends AttemptFacts {
  readonly outcome: Outcome;
  /** Short word for the cause: `done`, `five_hour`, `timeout`, `verify-failed`, `error_max_turns`, `auth`… */
  readonly reason: string;
  /** One line fit for the user; empty where the note says it all. */
  readonly message: string;
  /** Signal for the gate: set for `limit`, for `blocked`, and where the requests of every run are blocked. */
  readonly signal?: LimitSignal;
  /** Usage limits at which subagents of the run stopped. The gate closes for each of them, whatever the outcome. */
  readonly subagentLimits?: readonly LimitSignal[];
  readonly denials: readonly Denial[];
  /** Fill levels of the account's usage windows, as reported to the run. */
  readonly usage: readonly WindowUsage[];
  /** Process exit code; null where a signal ended it. */
  readonly exitCode: number | null;
}

/** The reason of a `transient` end after which the task starts over: its session can be neither continued nor started. */
export const SESSION_UNUSABLE = 'session-unusable';

/** The reason of a `transient` end before the start: another Claude Code has the task's session open. */
export const SESSION_IN_USE = 'session-in-use';

/** The reason of a `success` that the row's own check has confirmed. */
export const VERIFIED = 'verified';

/**
 * Whether a success is not confirmed: Claude was asked for a report and gave none, and no check has passed that had not
 * passed before.
 */
export function isUnconfirmed({
  outcome,
  reason,
  report,
  check,
}: Pick<Attempt, 'outcome' | 'reason' | 'report' | 'check'>): boolean {
  const isChecked = reason === VERIFIED && !hasPassedBefore({ check });
  return outcome === 'success' && report === 'none' && !isChecked;
}

/** Whether the check of an attempt passed on the files before it as well: it does not show that the task was done. */
export function hasPassedBefore(attempt: { readonly check?: CheckRun | undefined } | undefined): boolean {
  return attempt?.check?.before?.result === 'passed';
}

/** Reason of an end that made room for another task. */
export const MADE_WAY = 'made-way' satisfies StopCause;

/** Exit code of an attempt after which its task has failed permanently, or its occurrence. */
export const FAILED_CODE = 3;

/** Reason of an end that the user reported for a task they did by hand. */
export const BY_HAND = 'by-hand';

/** Reason why an attempt continues in an earlier one's session. */
export type ResumeCause =
  'limit' | 'blocked' | 'lost' | 'stopped' | 'interrupted' | 'elsewhere' | 'retry' | 'answer' | 'comment';

/** Words of the user to Claude about a task: the answer to a question, or a comment on its work. */
export interface Answered {
  /** Absent: a comment. */
  readonly question?: string;
  readonly answer: string;
}

/** Everything a runner needs for one attempt. */
export interface Job {
  readonly definition: Definition;
  readonly place: Place;
  /** The Claude Code session of this task: started by its first attempt, continued by the others. */
  readonly session: string;
  /** Set where an earlier attempt used the session. */
  readonly resume?: ResumeCause;
  /** Session that this one replaces because it had grown too large. This one starts with a note. */
  readonly handOver?: string;
  /**
   * Claude's questions about this task with the user's answers, and the user's comments, oldest first. With `answer` or
   * `comment` in `resume` the last one is new.
   */
  readonly answered?: readonly Answered[];
  /** The task's last attempt, where there was one with the same power. */
  readonly last?: Attempt;
  /** Rules that the user added for this task after a refusal, in addition to the row's own. */
  readonly grants?: readonly string[];
  /** File for the output, written as it arrives. */
  readonly outputFile: string;
  /** Maximum duration; time in which the machine sleeps does not count. */
  readonly timeoutMs: number;
  /** Names this attempt in the environment of the run and of all its children. */
  readonly attemptMark: string;
}

/** Reason for ending a run from outside. */
export type StopCause = 'stopped' | 'made-way' | 'cancelled' | 'fenced';

/** Events of a run. */
export interface AttemptEvents {
  /**
   * The process exists. It gets the prompt only after this has resolved. Before that it starts no hook and no server:
   * measured with 2.1.90, 2.1.197 and 2.1.330.
   */
  started(process: ProcessIdentity): Promise<void>;
  /** The account lets its requests through. Called with the fill levels known by then, and again when they change. */
  admitted(usage: readonly WindowUsage[], model: string | undefined): void;
  /** A line fit for a terminal. `once`: every attempt in the folder has the same line, and one is enough to read. */
  line(text: string, often?: 'once'): void;
}

/** Runs one attempt to its end. Never rejects for anything that the run itself did. */
export interface Runner {
  run(job: Job, events: AttemptEvents, stop: AbortSignal): Promise<Verdict>;
  /** Returns the facts that an attempt left behind when it was lost with its worker. */
  tracesOf(job: Pick<Job, 'session' | 'outputFile'>): Promise<AttemptFacts>;
}

/** One attempt in the history. */
export interface Attempt extends AttemptFacts, OccurrenceFacts, Pick<Placed, 'place'> {
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
  /** Exit code of `claude-queue run` for it; the logs hold the same one. */
  readonly code: number;
  /** Name of its file in `outputs/`, on the machine that ran it. */
  readonly output?: string;
  /** Machine that ran it; absent in attempts of earlier versions. */
  readonly machine?: string;
  /** For `limit`: when the gate closed. */
  readonly closedSince?: EpochMs;
  /** Exit code of `claude`; null: a signal ended it, or none ran. */
  readonly exitCode?: number | null;
  /** Tenant of the task, where its row names one. */
  readonly user?: string;
  readonly denials?: readonly Denial[];
  /** Fill levels of the account's usage windows, as they were last reported to it. */
  readonly usage?: readonly WindowUsage[];
  /** Effective priority at its claim. */
  readonly priority?: Priority;
  /** Priority of its row, where waiting had raised it by the claim. */
  readonly promotedFrom?: Priority;
  /** Time that its task waited before it started: since it was due, or since the attempt before it. */
  readonly waitedMs?: number;
  /** It ended after its task's service time, or deadline. */
  readonly late?: true;
  /** Number of the task's due times that passed without a run. */
  readonly missed?: number;
  /** Time at which its changes were undone. */
  readonly undoneAt?: EpochMs;
  /** Time at which the user accepted it. */
  readonly acceptedAt?: EpochMs;
}

/**
 * Returns the attempts whose work is one: the newest, and those before it since the last one that succeeded, was accepted
 * or was undone. `newestFirst`: attempts of one task; so is the result.
 */
export function sinceLastSuccess(newestFirst: readonly Attempt[]): readonly Attempt[] {
  const end = newestFirst.findIndex(
    ({ outcome, acceptedAt, undoneAt }, index) =>
      index > 0 && (outcome === 'success' || acceptedAt !== undefined || undoneAt !== undefined),
  );
  return newestFirst.slice(0, end < 0 ? undefined : end);
}

/** Suffixes of the files beside an interactive run's output: events from its hooks, and its task where that is long. */
export const BESIDE_OUTPUT = { events: '.events', task: '.md' } as const;

/** Returns the name of an attempt's file in `outputs/`. */
export function outputName(id: TaskId, attempt: number): string {
  return `task-${String(id)}-attempt-${String(attempt)}.jsonl`;
}
