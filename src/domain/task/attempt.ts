import type { ProcessIdentity } from './processIdentity';
import type { EpochMs } from '../time/epoch';
import type { SkippedTimes } from '../time/skippedTimes';
import type { Priority } from './priority';
import type { Definition, PermissionMode, Status, TaskId } from './task';
import type { LimitSignal, WindowUsage } from '../gate/limits';

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

/** A tool call of Claude's that nobody had allowed. */
export interface Denial {
  readonly tool: string;
  /** The refused call in short: a command, or a file's path. */
  readonly detail: string;
  /** The narrowest rule for `--allowedTools` that lets this very call through; absent where there is none. */
  readonly rule?: string;
  /** Why there is no such rule, where there is none: the rest of a sentence. */
  readonly noRule?: string;
}

/** What a run used of the models, in tokens. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What a row's own check came to. */
export interface CheckRun {
  readonly result: 'passed' | 'failed' | 'timeout' | 'could-not-run';
  /** Null where it did not end by itself, or could not start. */
  readonly exitCode: number | null;
  readonly ms: number;
  /** The end of what it wrote, without secrets. */
  readonly output: string;
}

/** How much what git sees of the working directory differs after the run from what it was before; its check comes later. */
export interface DiffSize {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** What a run was allowed to do. */
export interface Permissions {
  readonly mode: PermissionMode;
  /** Rules as `--allowedTools` takes them. */
  readonly tools: readonly string[];
}

/** What pays for a run: the subscription of the signed-in account, an API key, or an account with a cloud provider. */
export type Billing = 'subscription' | 'api-key' | 'cloud' | 'none';

/** What the user may want to pay with; `auto` is a subscription where there is one, else what there is. */
export const BILLING_CHOICES = ['auto', 'subscription', 'api-key'] as const;
export type BillingChoice = (typeof BILLING_CHOICES)[number];

/** How Claude may report that its work ended. */
export const REPORTED_ENDS = ['finished', 'could_not', 'needs_answer'] as const;
export type ReportedEnd = (typeof REPORTED_ENDS)[number];

/** What this program itself knows of an end, and not Claude Code. The presentation layer words it. */
export type EndNote =
  | { readonly kind: 'stopped' | 'cancelled' | 'written-by-scripts' | 'undecided-by-scripts' }
  | { readonly kind: 'timed-out'; readonly afterMs?: number }
  | { readonly kind: 'owner-died'; readonly worker: string | null }
  | {
      readonly kind: 'history-lost';
      readonly worker: string | null;
      readonly status: Status;
      readonly attempt: number;
    }
  | { readonly kind: 'ended-by-scripts'; readonly log: string; readonly code: number };

/** What is known of a run besides its outcome, as its history keeps it. */
export interface AttemptFacts {
  /** What is known of the end besides the message, or in its place. */
  readonly note?: EndNote;
  /** What Claude reported at a clean end; `none`: it was asked and did not report. Absent: it was not asked. */
  readonly report?: ReportedEnd | 'none';
  /** The sentence that Claude reported with it. */
  readonly reportReason?: string;
  readonly turns?: number;
  readonly costUsd?: number;
  readonly tokens?: Tokens;
  readonly model?: string;
  /** Version of the `claude` that ran. */
  readonly version?: string;
  /** How long it waited for the model. */
  readonly apiMs?: number;
  /** The last line's own word for how it ended. */
  readonly subtype?: string;
  /** The last line's own word for why it ended. */
  readonly terminalReason?: string;
  /** Claude Code had warned, when it ended, that a limit of the account is near. */
  readonly limitWarning?: true;
  /** How many tokens its session held when it ended: what every further request in it costs to read. */
  readonly contextTokens?: number;
  readonly check?: CheckRun;
  readonly diff?: DiffSize;
  readonly permissions?: Permissions;
  readonly billing?: Billing;
  /** The file in `outputs/` of an earlier run with this attempt's number: the history lost that run, and the task ran again. */
  readonly earlierOutput?: string;
}

/** What is known of an attempt when it has ended, from facts and never from the answer's text. */
export interface Verdict extends AttemptFacts {
  readonly outcome: Outcome;
  /** A short word for why: `done`, `five_hour`, `timeout`, `verify-failed`, `error_max_turns`, `auth`… */
  readonly reason: string;
  /** One line fit for the user; empty where the note says it all. */
  readonly message: string;
  /** For `limit` and `blocked`, and what is in the way of every run's requests: what the gate has to know. */
  readonly signal?: LimitSignal;
  /** Usage limits at which helpers of the run stopped: the gate closes for each of them, however the run itself ended. */
  readonly helperLimits?: readonly LimitSignal[];
  readonly denials: readonly Denial[];
  /** Fill levels of the account's windows, as the run was told them. */
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

/** Whether a success is not confirmed: Claude was asked for a report and gave none, and no check has passed. */
export function isUnconfirmed({
  outcome,
  reason,
  report,
}: Pick<Attempt, 'outcome' | 'reason' | 'report'>): boolean {
  return outcome === 'success' && report === 'none' && reason !== VERIFIED;
}

/** The reason of an end that the user told of a task which they had in hand. */
export const BY_HAND = 'by-hand';

/** Why an attempt continues in an earlier one's session. */
export type ResumeCause =
  'limit' | 'blocked' | 'lost' | 'stopped' | 'interrupted' | 'elsewhere' | 'retry' | 'answer';

/** A question of Claude's with the user's answer. */
export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** Everything a runner needs for one attempt. */
export interface Job {
  readonly definition: Definition;
  /** The Claude Code session of this task: started by its first attempt, continued by the others. */
  readonly session: string;
  /** Set where an earlier attempt used the session. */
  readonly resume?: ResumeCause;
  /** The session that this one takes the place of, since that had grown too large: it starts with a note. */
  readonly handOver?: string;
  /** What Claude asked about this task and the user answered, oldest first. With `resume: 'answer'` the last one is new. */
  readonly answered?: readonly Answered[];
  /** The task's last attempt, where there was one with the same power. */
  readonly last?: Attempt;
  /** Rules that its person added for this task after a refusal; besides the row's own. */
  readonly grants?: readonly string[];
  /** Where the output goes as it comes. */
  readonly outputFile: string;
  /** Bound of its duration; time in which the machine sleeps does not count. */
  readonly timeoutMs: number;
  /** Names this attempt in the environment of the run and of all its children. */
  readonly runMark: string;
}

/** Why a run is ended from outside. */
export type StopCause = 'stopped' | 'cancelled' | 'fenced';

/** What a run tells while it continues. */
export interface RunEvents {
  /** The process exists but has not seen the prompt yet, and does not until this has resolved. */
  started(process: ProcessIdentity): Promise<void>;
  /** The account lets its requests through: told with the fill levels known by then, and again when these have changed. */
  admitted(usage: readonly WindowUsage[], model: string | undefined): void;
  /** A line fit for a terminal. */
  line(text: string): void;
}

/** Runs one attempt to its end. Never rejects for anything that the run itself did. */
export interface Runner {
  run(job: Job, events: RunEvents, stop: AbortSignal): Promise<Verdict>;
  /** What an attempt that was lost with its worker has left to know of it. */
  tracesOf(job: Pick<Job, 'session' | 'outputFile'>): Promise<AttemptFacts>;
}

/** One attempt in the history. */
export interface Attempt extends AttemptFacts {
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
  /** Of `claude`; null where a signal ended it, or none ran. */
  readonly exitCode?: number | null;
  /** Whose task it was, where its row said so. */
  readonly user?: string;
  readonly denials?: readonly Denial[];
  /** The class in which it was served. */
  readonly priority?: Priority;
  /** From when its task started to wait until it started. */
  readonly waitedMs?: number;
  /** It ended after its task's service time, or deadline. */
  readonly late?: true;
  /** How many of its task's times had gone by without a run. */
  readonly missed?: number;
  /** The due time of its turn; absent for a task that has none, and for a run that makes up for another one. */
  readonly dueAt?: EpochMs;
  /** It made up for a missed time. */
  readonly catchUp?: true;
  /** Due times before it that got no run of their own. */
  readonly skipped?: readonly SkippedTimes[];
}

/** How the names of what an interactive run has beside its output end: what its hooks told, and its task where that is long. */
export const BESIDE_OUTPUT = { events: '.events', task: '.md' } as const;

/** The name of an attempt's file in `outputs/`. */
export function outputName(id: TaskId, attempt: number): string {
  return `task-${String(id)}-attempt-${String(attempt)}.jsonl`;
}
