import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import { isInReview } from '../../domain/queue/view';
import type { AttemptFilter } from '../taskQueue';
import { keepAttempts } from './state/batch';
import { noteAllChanged } from './state/changes';
import type { QueueState } from './state/queueState';

/** Returns the attempts that match, newest first. */
export function findAttempts({ attempts }: QueueState, filter: AttemptFilter): readonly Attempt[] {
  return attempts
    .filter((attempt) => fits(attempt, filter))
    .reverse()
    .slice(0, filter.limit);
}

function fits(
  attempt: Attempt,
  { id, outcome, since = -Infinity, until = Infinity }: AttemptFilter,
): boolean {
  if (id !== undefined && attempt.id !== id) return false;
  if (outcome !== undefined && attempt.outcome !== outcome) return false;
  return attempt.startedAt >= since && attempt.startedAt < until;
}

/**
 * Removes ended attempts from a state. What governs later attempts stays: holds, times, sessions, starts, numbers.
 * The last attempt of a task in review stays too: the user looks at it, and accepting the task logs it.
 */
export function forgetHistory(state: QueueState): void {
  const kept = new Set(attemptsThatStay(state));
  keepAttempts(state, (attempt) => kept.has(attempt));
  state.revision += 1;
  noteUnreported(state);
}

/** Marks the tasks that have no attempt in the history any more. Call it after attempts were removed. */
function noteUnreported(state: QueueState): void {
  noteAllChanged(state);
  const keptIds = new Set(state.attempts.map(({ id }) => id));
  for (const [key, task] of state.tasks) {
    if (task.lastOutcome === null || task.untold === true || keptIds.has(task.id)) continue;
    state.tasks.set(key, { ...task, untold: true });
  }
}

/** Returns the attempts that `forgetHistory` keeps. */
export function attemptsThatStay(state: QueueState): readonly Attempt[] {
  const awaited = idsInReview(state);
  const last = new Map(state.attempts.map((attempt) => [attempt.id, attempt]));
  return state.attempts.filter((attempt) => awaited.has(attempt.id) && last.get(attempt.id) === attempt);
}

/** Returns the ids of tasks whose last attempt the user may still accept. */
function idsInReview({ tasks, powers }: QueueState): Set<TaskId> {
  const ids = new Set<TaskId>();
  for (const task of tasks.values()) {
    if (powers.get(task.id) === task.power && isInReview(task)) ids.add(task.id);
  }
  return ids;
}

/** Removes the attempts that are too old, and returns them. See `findRetired`. */
export function retireAttempts(state: QueueState, before: EpochMs): readonly Attempt[] {
  const retired = findRetired(state, before);
  if (retired.length === 0) return retired;
  const gone = new Set(retired);
  keepAttempts(state, (attempt) => !gone.has(attempt));
  noteUnreported(state);
  return retired;
}

/**
 * Returns the attempts that ended before a time. Accepting a review logs the last attempt of its task, so that attempt
 * is not too old.
 */
export function findRetired(state: QueueState, before: EpochMs): readonly Attempt[] {
  const old = state.attempts.filter((attempt) => attempt.endedAt < before);
  if (old.length === 0) return old;
  const awaited = idsInReview(state);
  for (const attempt of state.attempts) if (attempt.endedAt >= before) awaited.delete(attempt.id);
  return old.filter((attempt) => !awaited.has(attempt.id));
}
