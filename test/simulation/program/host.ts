import type { Attempt, Runner, Verdict } from '../../../src/domain/task/attempt';
import type { Change } from '../../../src/domain/task/decide';
import type { Claim } from '../../../src/domain/queue/view';
import type { Priority } from '../../../src/domain/task/priority';
import type { TaskId } from '../../../src/domain/task/task';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import type { Processes } from '../../../src/platform/processes/processes';
import type { Claimed, TaskFields, Verb } from '../../../src/queue/taskQueue';
import type { CallbackFailure } from '../../../src/domain/queue/callbacks';
import type { Post } from '../../../src/platform/net/post';
import type { RemovedRow } from '../../../src/queue/row/removedRow';
import type { StopHow } from '../../../src/domain/queue/workerStop';

/** The queue's folder on the virtual disk. */
export const FOLDER = '/place/claude_queue';
export const QUEUE_FILE = `${FOLDER}/prompts.csv`;
export const SETTINGS_FILE = `${FOLDER}/config.yaml`;
export const STATE = `${FOLDER}/state`;
export const USER_STATE = '/home/me/.local/state/claude-queue';
export const ACCOUNT = 'me';
export const MACHINE_ID = 'simulated';

/** Messages of a worker. */
export type Said =
  | { readonly kind: 'lost'; readonly claim: Claim; readonly change: Change }
  | { readonly kind: 'started'; readonly claimed: Claimed }
  | { readonly kind: 'ended'; readonly claimed: Claimed; readonly verdict: Verdict; readonly change: Change }
  | { readonly kind: 'waiting' | 'trouble' | 'warning'; readonly text: string };

/** Parts of the machine that a simulated process has. */
export interface Host {
  readonly self: ProcessIdentity;
  readonly processes: Processes;
  readonly runner: Runner;
  readonly random: () => number;
  readonly createId: () => string;
  /** Aborted when the user ends it with Ctrl+C. */
  readonly stop: AbortSignal;
  say(said: Said): void;
  notify(args: readonly string[], input: string): Promise<string | null>;
  /** Posts to the receiver of callbacks. Null: delivered. */
  post(request: Post, timeoutMs: number): Promise<CallbackFailure | null>;
}

/** Start of a worker. */
export interface WorkerOptions {
  readonly untilEmpty: boolean;
  readonly alone: boolean;
  readonly slots: number;
  readonly maxTasks?: number;
  readonly priorities?: readonly Priority[];
  readonly lookAgainMs: number;
  /** Set if the machine's timer starts it. */
  readonly byTimer?: true;
}

/** Request of the user by a command. */
export type Command =
  | { readonly kind: 'verb'; readonly id: TaskId; readonly verb: Verb }
  | { readonly kind: 'answer'; readonly id: TaskId; readonly text: string }
  | { readonly kind: 'hold'; readonly priorities?: readonly Priority[] }
  | { readonly kind: 'resume' | 'approve' | 'trust' | 'distrust' | 'reopen' | 'probe' | 'sync' | 'recover' }
  | { readonly kind: 'stop'; readonly how: StopHow }
  | { readonly kind: 'add'; readonly fields: TaskFields }
  | { readonly kind: 'edit'; readonly id: TaskId; readonly fields: TaskFields }
  | { readonly kind: 'move'; readonly id: TaskId; readonly before: TaskId | null }
  | { readonly kind: 'remove'; readonly ids: readonly TaskId[] }
  | { readonly kind: 'restore'; readonly rows: readonly RemovedRow[] }
  | { readonly kind: 'comment'; readonly id: TaskId; readonly text: string }
  /** The changes of the task's attempts were undone. */
  | { readonly kind: 'undo'; readonly id: TaskId }
  /** Installs a timer that starts workers, or removes it. */
  | { readonly kind: 'timer'; readonly cron: string | null }
  | { readonly kind: 'adopt' }
  /** Another queue of the account meets a limit. */
  | { readonly kind: 'limit elsewhere'; readonly resetAt: number };

/** Result of a command. */
export type Answer =
  | { readonly kind: 'done'; readonly id?: TaskId; readonly removed?: readonly RemovedRow[] }
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string };

/** The document of a queue file in an editor window. */
export interface SimWindow {
  /** Shows the file as it is on the disk. */
  open(): Promise<void>;
  /** Returns the document's text. */
  text(): string;
  /** Replaces the document's text, as typing does. */
  type(text: string): Promise<void>;
  /** Saves the document. Returns whether it was merged with what was on the disk; null: there was a conflict. */
  save(): Promise<boolean | null>;
  /** Returns the text on the disk with which the last save was merged. */
  mergedWith(): string;
  close(): Promise<void>;
}

/** Functions of the simulated program. */
export interface Exports {
  startWorker(host: Host, how: WorkerOptions): Promise<string>;
  runCommand(host: Host, command: Command): Promise<Answer>;
  listAttempts(host: Host): Promise<readonly Attempt[]>;
  openWindow(host: Host): SimWindow;
}
