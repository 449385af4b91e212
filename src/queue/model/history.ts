import type { Attempt } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import { isInReview } from '../../domain/queue/view';
import type { AttemptFilter } from '../taskQueue';
import type { QueueState } from './queueState';

/** The attempts that fit, newest first. */
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
 * Takes what has ended out of a state; what governs what comes next stays: holds, times, sessions, starts, numbers. Of a
 * task that awaits the user's eye the last attempt stays too: it is what they look at, and what is logged when they
 * accept it.
 */
export function forgetHistory(state: QueueState): void {
  const kept = attemptsThatStay(state);
  state.attempts.length = 0;
  for (const attempt of kept) state.attempts.push(attempt);
  state.revision += 1;
  noteUnreported(state);
}

/** Notes of which tasks no attempt is told any more, after some were taken out. */
export function noteUnreported(state: QueueState): void {
  const reported = new Set(state.attempts.map(({ id }) => id));
  for (const [key, task] of state.tasks) {
    if (task.lastOutcome === null || task.untold === true || reported.has(task.id)) continue;
    state.tasks.set(key, { ...task, untold: true });
  }
}

/** The attempts that `forgetHistory` leaves. */
export function attemptsThatStay(state: QueueState): readonly Attempt[] {
  const awaited = idsInReview(state);
  const last = new Map(state.attempts.map((attempt) => [attempt.id, attempt]));
  return state.attempts.filter((attempt) => awaited.has(attempt.id) && last.get(attempt.id) === attempt);
}

/** The tasks whose last attempt the user may still accept. */
export function idsInReview({ tasks, powers }: QueueState): Set<TaskId> {
  const ids = new Set<TaskId>();
  for (const task of tasks.values()) {
    if (powers.get(task.id) === task.power && isInReview(task)) ids.add(task.id);
  }
  return ids;
}
