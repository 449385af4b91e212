import type { QueueEvent } from '../events';
import { applyInputs } from './inputsState';
import { noteRegistered, type Timer } from '../../../domain/queue/missingWorker';
import type { EpochMs } from '../../../domain/time/epoch';
import type { TaskId } from '../../../domain/task/task';
import { currentTask, taskKey, type QueueState } from './queueState';
import { withoutReview } from './taskChanges';

/** Events beside the queue's own work. */
type BesideEvent = Extract<
  QueueEvent,
  { kind: 'inputs' | 'adopted' | 'scheduled' | 'timer-started' | 'undone' }
>;

/** Applies such an event to the state. */
export function applyBeside(state: QueueState, event: BesideEvent): void {
  switch (event.kind) {
    case 'inputs':
      applyInputs(state, event);
      return;
    case 'adopted':
      adopt(state, event);
      return;
    case 'scheduled':
      state.timer = event.timer === null ? null : { ...event.timer, since: event.at, startedAt: null };
      return;
    case 'timer-started':
      if (state.timer !== null) state.timer = startTimer(state.timer, state, event);
      return;
    case 'undone':
      noteUndone(state, event);
      return;
  }
}

function adopt(state: QueueState, { at, attempts, tasks }: Extract<QueueEvent, { kind: 'adopted' }>): void {
  state.adoptedAt = at;
  for (const attempt of attempts) {
    state.attempts.push(attempt);
    const count = state.attemptCounts.get(attempt.id) ?? 0;
    state.attemptCounts.set(attempt.id, Math.max(count, attempt.number));
  }
  for (const { id, power, state: fields } of tasks) {
    const key = taskKey(id, power);
    const task = state.tasks.get(key);
    // A row that was edited meanwhile is another task.
    if (task === undefined) continue;
    const done = fields.status === 'completed' ? { lastSuccessAt: at } : {};
    state.tasks.set(key, { ...task, ...done, ...fields });
  }
}

function noteUndone(state: QueueState, { id, numbers, at }: Extract<QueueEvent, { kind: 'undone' }>): void {
  for (const [index, attempt] of state.attempts.entries()) {
    if (attempt.id === id && numbers.includes(attempt.number))
      state.attempts[index] = { ...attempt, undoneAt: at };
  }
  const last = state.attempts.findLast((attempt) => attempt.id === id);
  const task = currentTask(state, id);
  if (task !== undefined && last?.undoneAt !== undefined)
    state.tasks.set(taskKey(id, task.power), { ...withoutReview(task), undone: true });
}

/** Returns the timer after it started a worker, which has nothing to do where another one works. */
function startTimer(
  timer: Timer,
  { workers, claims }: QueueState,
  { at, noWorker }: Extract<QueueEvent, { kind: 'timer-started' }>,
): Timer {
  const isKnown = workers.length > 0 || [...claims.values()].some(({ owner }) => owner.kind === 'process');
  // Known workers may be dead.
  return isKnown && noWorker !== true
    ? { ...noteRegistered(timer), startedAt: at }
    : { noWorkerSince: at, ...timer, startedAt: at };
}

/** Notes that the user accepted the last attempt of a task, unless its row changed since. */
export function noteAccepted(state: QueueState, id: TaskId, at: EpochMs): void {
  const index = state.attempts.findLastIndex((attempt) => attempt.id === id);
  const last = state.attempts[index];
  if (last !== undefined && last.power === state.powers.get(id))
    state.attempts[index] = { ...last, acceptedAt: at };
}
