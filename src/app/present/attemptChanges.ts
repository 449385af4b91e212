import type { Attempt } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import { hasCode } from '../../platform/files/files';
import type { LeftOut } from '../../platform/git/changedFiles';
import type { GitFailure } from '../../platform/git/git';
import type { AttemptName } from '../../platform/git/keptTrees';
import { clean } from '../../platform/text/plainText';

/**
 * Reason why the changes of an attempt cannot be shown. `not-kept`: that there are some is known, but this machine does
 * not have them.
 */
export type MissingReason =
  | 'no-attempt'
  | 'archived'
  | 'no-such-attempt'
  | 'running'
  | 'worker-died'
  | 'unchanged'
  | 'unknown'
  | 'not-kept';

/** Changes that cannot be shown. */
export interface MissingChanges {
  readonly id: TaskId;
  /** Number of the attempt; null: the latest one was asked for, and none has ended. */
  readonly number: number | null;
  /** Null: it has not ended, or never started. */
  readonly attempt: Attempt | null;
  readonly kept: null;
  readonly missing: MissingReason;
}

/** Describes why the changes of an attempt cannot be shown. */
export function describeMissing({ id, number, missing }: Omit<MissingChanges, 'attempt' | 'kept'>): string {
  const task = `task ${String(id)}`;
  const attempt = number === null ? `an attempt of ${task}` : `attempt ${String(number)} of ${task}`;
  switch (missing) {
    case 'no-attempt':
      return `No attempt of ${task} has ended yet.`;
    case 'archived':
      return `The attempts of ${task} were moved to state/archive. Their changes are not shown any more.`;
    case 'no-such-attempt':
      return `The history has no ${attempt}.`;
    case 'running':
      return `${startLarge(attempt)} is running. Its changes are shown once it has ended.`;
    case 'worker-died':
      return `It is not known which files ${attempt} changed: its worker died.`;
    case 'unchanged':
      return `${startLarge(attempt)} changed no file that git sees.`;
    case 'unknown':
      return `It is not known which files ${attempt} changed: it ran outside a git repository or a worker, it got no prompt, or git was missing, failed or too slow.`;
    case 'not-kept':
      return `The changes of ${attempt} are not kept here: it ran on another machine or before changes were kept, or they were removed.`;
    default:
      return describeUnknown(missing);
  }
}

function startLarge(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describeUnknown(_: never): string {
  return '';
}

/** Describes a path that an attempt changed, or may have changed, and that its diff does not have. */
export function describeLeftOut({ path, why }: LeftOut): string {
  switch (why) {
    case 'large':
      return `${path} changed too, but has or had more than 10 MB.`;
    case 'unreadable':
      return `${path} changed too, but cannot be read.`;
    case 'repository':
      return `${path} is a repository of its own: changes in it are not known.`;
  }
}

/** Describes why git could not read the kept changes of an attempt. */
export function describeGitFailure({ cause }: GitFailure, { id, number }: AttemptName): string {
  return `git could not read the changes of attempt ${String(number)} of task ${String(id)}: ${describeCause(cause)}`;
}

function describeCause(cause: unknown): string {
  if (hasCode(cause, 'ENOENT')) return 'it is not on the PATH.';
  if (hasCode(cause, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')) return 'they have more than 64 MB.';
  const lines = cause instanceof Error ? clean(cause.message).trim().split('\n') : [];
  return lines.at(-1) ?? 'it gave no answer.';
}
