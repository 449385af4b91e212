import type { Attempt } from '../../../domain/task/attempt';
import { hasDiff } from '../../../domain/task/attemptFacts';
import { isEndUnknown } from '../../../domain/task/runTime';
import type { TaskId } from '../../../domain/task/task';
import { Problem } from '../../../domain/problem';
import { GitFailure } from '../../../platform/git/git';
import type { KeptChange } from '../../../platform/git/keptTrees';
import { t } from '../../../platform/text/translate';
import type { Snapshot, TaskQueue } from '../../../queue/taskQueue';
import { openKeptTrees } from '../../context/openKeptTrees';
import type { QueueContext } from '../../context/queueContext';
import { describeGitFailure, type MissingChanges, type MissingReason } from '../../present/attemptChanges';

/** Changes of an attempt that `openKeptTrees(context)` lists, reads and prints. */
export interface FoundChanges {
  readonly attempt: Attempt;
  readonly kept: KeptChange;
  readonly missing: null;
}

/** Changes of an attempt, or the reason why there are none to show. */
export type AttemptChanges = (FoundChanges | MissingChanges) & {
  /** Later attempt of the task that has not ended; null: none. */
  readonly unended: UnendedAttempt | null;
};

/** Attempt that a worker runs, or ran when it died. */
export type UnendedAttempt = Pick<MissingChanges, 'id' | 'missing'> & { readonly number: number };

/**
 * Finds the kept changes of a task's attempt: of this one, or of the latest that has ended.
 * @throws Problem `no-such-task`
 */
export async function findChanges(
  context: Pick<QueueContext, 'queueFile' | 'host'>,
  queue: Pick<TaskQueue, 'read' | 'attempts'>,
  id: TaskId,
  number?: number,
): Promise<AttemptChanges> {
  const [snapshot, attempts] = [await queue.read(), await queue.attempts({ id })];
  const unended = findUnended(snapshot, id);
  const attempt = number === undefined ? attempts[0] : attempts.find((one) => one.number === number);
  if (attempt !== undefined) {
    const kept = await openKeptTrees(context).find(attempt);
    if (kept !== null) return { attempt, kept, missing: null, unended };
    return { id, number: attempt.number, attempt, kept, missing: whyNotKept(attempt), unended };
  }
  if (attempts.length === 0 && !hasTask(snapshot, id))
    throw new Problem('no-such-task', t('There is no task {0}.', id));
  const none = { id, attempt: null, kept: null, unended };
  if (unended !== null && (number === undefined || number === unended.number))
    return { ...none, number: unended.number, missing: unended.missing };
  return { ...none, number: number ?? null, missing: whyNoAttempt(snapshot, id, number) };
}

/** Returns what `read` reads from kept trees. @throws Problem `no-diff` if git fails */
export async function readTrees<T>(attempt: Attempt, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw new Problem('no-diff', describeGitFailure(error, attempt), { cause: error });
  }
}

function findUnended({ claims }: Snapshot, id: TaskId): UnendedAttempt | null {
  const claim = claims.find((one) => one.id === id && one.owner.kind === 'process');
  if (claim === undefined) return null;
  return { id, number: claim.attempt, missing: claim.ownerDied === true ? 'worker-died' : 'running' };
}

function hasTask({ tasks, problems }: Snapshot, id: TaskId): boolean {
  return tasks.some(({ definition }) => definition.id === id) || problems.some((one) => one.id === id);
}

function whyNoAttempt({ tasks }: Snapshot, id: TaskId, number: number | undefined): MissingReason {
  const task = tasks.find(({ definition }) => definition.id === id);
  if (task?.state.untold === true) return 'archived';
  return number === undefined ? 'no-attempt' : 'no-such-attempt';
}

function whyNotKept(attempt: Attempt): MissingReason {
  if (attempt.note?.kind === 'redis-away') return 'redis-away';
  if (attempt.diff === undefined) return isEndUnknown(attempt) ? 'worker-died' : 'unknown';
  return hasDiff(attempt) ? 'not-kept' : 'unchanged';
}
