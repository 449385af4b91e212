import type { Attempt } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import { hasCode } from '../../platform/files/files';
import type { LeftOut } from '../../platform/git/fileLook';
import type { GitFailure } from '../../platform/git/git';
import type { AttemptName } from '../../platform/git/keptTrees';
import { revealInLine } from '../../platform/text/invisible';
import { clean } from '../../platform/text/plainText';
import { t } from '../../platform/text/translate';

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
  | 'redis-away'
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
  if (missing === 'archived')
    return t(
      'The attempts of task {0} were moved to state/archive. Their changes are not shown any more.',
      id,
    );
  if (missing === 'no-attempt' || number === null) return t('No attempt of task {0} has ended yet.', id);
  return describeMissingOf(missing, number, id);
}

function describeMissingOf(
  missing: Exclude<MissingReason, 'archived' | 'no-attempt'>,
  number: number,
  id: TaskId,
): string {
  switch (missing) {
    case 'no-such-attempt':
      return t('The history has no attempt {0} of task {1}.', number, id);
    case 'running':
      return t('Attempt {0} of task {1} is running. Its changes are shown once it has ended.', number, id);
    case 'worker-died':
      return t('It is not known which files attempt {0} of task {1} changed: its worker died.', number, id);
    case 'redis-away':
      return t(
        'It is not known which files attempt {0} of task {1} changed: Redis did not answer for too long.',
        number,
        id,
      );
    case 'unchanged':
      return t('Attempt {0} of task {1} changed no file that git sees.', number, id);
    case 'unknown':
      return t(
        'It is not known which files attempt {0} of task {1} changed: it ran outside a git repository or a worker, it got no prompt, there were more than 10,000 new or changed files, or git was missing, failed or too slow.',
        number,
        id,
      );
    case 'not-kept':
      return t(
        'The changes of attempt {0} of task {1} are not kept here: it ran on another machine or before changes were kept, or they were removed.',
        number,
        id,
      );
    default:
      return describeUnknown(missing);
  }
}

function describeUnknown(_: never): string {
  return '';
}

/** Describes a path that an attempt changed, or may have changed, and that its diff does not have. */
export function describeLeftOut({ path: name, why }: LeftOut): string {
  const path = revealInLine(name);
  switch (why) {
    case 'large':
      return t('{0} changed too, but has or had more than 10 MB.', path);
    case 'unreadable':
      return t('{0} changed too, but cannot be read.', path);
    case 'repository':
      return t('{0} is a repository of its own: changes in it are not known.', path);
  }
}

/** Describes why git could not read the kept changes of an attempt. */
export function describeGitFailure({ cause }: GitFailure, { id, number }: AttemptName): string {
  return t(
    'git could not read the changes of attempt {0} of task {1}: {2}',
    number,
    id,
    describeCause(cause),
  );
}

function describeCause(cause: unknown): string {
  if (hasCode(cause, 'ENOENT')) return t('it is not on the PATH.');
  if (hasCode(cause, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')) return t('they have more than 64 MB.');
  const lines = cause instanceof Error ? clean(cause.message).trim().split('\n') : [];
  return lines.at(-1) ?? t('it gave no answer.');
}
