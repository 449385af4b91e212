import type { EpochMs } from '../time/epoch';
import type { Priority } from './priority';
import type { RepeatInterval } from '../time/schedule';

/** A positive integer, unique in its queue. */
export type TaskId = number;

/** Values of the `status` cell. */
export const STATUSES = ['pending', 'running', 'review', 'completed', 'failed', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

/** The permission modes of Claude Code that a row may ask for. */
export const PERMISSION_MODES = [
  'default',
  'manual',
  'acceptEdits',
  'auto',
  'dontAsk',
  'plan',
  'bypassPermissions',
] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/**
 * Content of a row: every cell except the three shared ones (`status`, `scheduled_time`, `retry_count`), which the
 * program writes too.
 */
export interface Definition {
  readonly id: TaskId;
  readonly priority: Priority;
  /** As the row names it: an absolute path, or `repo:NAME/folder`, which is the same text on every machine. */
  readonly workingDir: string;
  /**
   * Path of `workingDir` on this machine with links resolved; absent where that is the same path, and where this
   * machine does not have the repository.
   */
  readonly realDir?: string;
  /** Real folder of its repository, where this machine's owner named that through a link; else absent. */
  readonly linkedRepository?: string;
  /** Text for Claude Code; with a prompt file, the title of the task. */
  readonly prompt: string;
  readonly promptFile?: PromptFile;
  readonly dependencies: readonly TaskId[];
  /** Only for a repeating task. */
  readonly repeat?: RepeatInterval;
  /** Failed attempts after which the task has failed, at least 1. */
  readonly maxRetries: number;
  readonly createdAt?: EpochMs;
  readonly timeoutMs?: number;
  readonly model?: string;
  /** Text that is added to Claude Code's system prompt in each attempt. */
  readonly appendSystemPrompt?: string;
  readonly permissionMode?: PermissionMode;
  readonly allowedTools?: readonly string[];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  /** Program and arguments of the check that must pass before an attempt counts as a success. */
  readonly verify?: readonly [string, ...string[]];
  /**
   * Set if the check also runs on a copy of the files before the attempt: program and arguments that set the copy up, or
   * none. From the queue's settings, not from the row. Only with `verify`.
   */
  readonly verifyBefore?: readonly string[];
  /** Tenant that the task belongs to. All rows without one form a tenant of their own. */
  readonly user?: string;
  /** Deadline for its end, in place of its priority's service time. */
  readonly deadline?: EpochMs;
  readonly tags?: readonly string[];
  /** Address to which the end of each attempt is sent. */
  readonly callbackUrl?: string;
  /** Texts that callbacks repeat. */
  readonly requestId?: string;
  readonly metadata?: string;
  /** Skip a due time of a repeating task if nothing has changed since its last success. */
  readonly unlessUnchanged?: true;
}

/** File with the prompt of a row. */
export interface PromptFile {
  /** Path in the workspace, as the row names it. */
  readonly path: string;
  /** Content of the file when the row was read. */
  readonly text: string;
}

/** Returns the text that Claude Code gets: that of the prompt file, else the prompt. */
export function promptOf({ prompt, promptFile }: Pick<Definition, 'prompt' | 'promptFile'>): string {
  return promptFile?.text ?? prompt;
}

/** Returns the row with another text for Claude Code. */
export function withPrompt({ promptFile: _, ...rest }: Definition, prompt: string): Definition {
  return { ...rest, prompt };
}

/** The three cells that both the user and the program write. */
export interface SharedCells {
  readonly status: Status;
  /** As the owner wrote it; the program's own times are in the task's state. */
  readonly scheduledAt: EpochMs | null;
  readonly retryCount: number;
}
