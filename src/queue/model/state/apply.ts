import type { Attempt } from '../../../domain/task/attempt';
import { BUDGET_WINDOW_MS } from '../../../domain/queue/budget';
import type { EpochMs } from '../../../domain/time/epoch';
import { addPauses, liftHolds, placeHold } from '../../../domain/queue/pauses';
import { continueStreak } from '../../../domain/task/streak';
import { COST_WINDOW_MS } from '../../../domain/queue/nightBudget';
import type { TaskId } from '../../../domain/task/task';
import type { Claim, Hold, TaskState } from '../../../domain/queue/view';
import type { OpId, Verb } from '../../taskQueue';
import type { QueueEvent, SeenRow } from '../events';
import { applyBeside, noteAccepted } from './applyBeside';
import { attemptsOfBatch, closeBatch, openBatch } from './batch';
import { applyToCallbacks, putCallbacks } from './callbackState';
import { noteChanges } from './changes';
import { noteId } from './highestId';
import { applyToOutbox } from './outboxState';
import {
  acceptAttempt,
  answerQuestion,
  commentOn,
  endAttempt,
  newTask,
  seeSharedCells,
  settleTimes,
  takeUpAgain,
  postpone,
  skipRun,
  tryAgain,
  withSkippedOf,
  withoutReview,
} from './taskChanges';
import { addRecent } from './recentList';
import { applyToWorkers } from './workerEvents';
import { currentTask, isOpen, taskKey, type QueueState } from './queueState';

/** Number of calls that are remembered by name, and how many more there may be before the oldest are forgotten. */
const REMEMBERED_OPS = 1000;
const SPARE_OPS = 100;

/** Applies an event to the state, and remembers the call that recorded it. */
export function apply(state: QueueState, event: QueueEvent): void {
  if (event.op !== undefined) rememberOp(state, event.op, event);
  applyPast(state, event);
}

/** Applies an event to a state of which nobody asks what a repeated call was answered. */
export function applyPast(state: QueueState, event: QueueEvent): void {
  state.revision += 1;
  noteChanges(state, event);
  switch (event.kind) {
    case 'seen':
      for (const row of event.rows) see(state, row, event.at);
      return;
    case 'gone':
      loseRows(state, event);
      return;
    case 'claimed':
      claim(state, event.claim);
      if (event.opensBatch === true) openBatch(state, event.at);
      return;
    case 'started':
      // Not `{ ...held, run }`: V8 makes another hidden class for each object that is spread and then gets a new field.
      updateClaim(state, event.id, event.token, (held) => Object.assign({}, held, { run: event.run }));
      return;
    case 'finished':
      finish(state, event);
      return;
    case 'released':
      release(state, event);
      return;
    case 'commanded':
    case 'answered':
    case 'commented':
    case 'approved':
      decideByUser(state, event);
      return;
    case 'held':
      pause(state, event);
      return;
    case 'resumed':
      resume(state, event);
      return;
    case 'missed':
      settleMissed(state, event);
      return;
    case 'inputs':
    case 'adopted':
    case 'scheduled':
    case 'timer-started':
    case 'undone':
      applyBeside(state, event);
      return;
    case 'stop':
    case 'enlisted':
    case 'left':
      applyToWorkers(state, event);
      return;
    default:
      applyToSent(state, event);
  }
}

/** Applies an event of what is sent to users and other programs. */
function applyToSent(
  state: QueueState,
  event: Extract<QueueEvent, { kind: 'raised' | 'sending' | 'sent' | 'calling' | 'called' }>,
): void {
  switch (event.kind) {
    case 'raised':
    case 'sending':
    case 'sent':
      applyToOutbox(state, event);
      return;
    case 'calling':
    case 'called':
      applyToCallbacks(state, event);
      return;
  }
}

type UserEvent = Extract<QueueEvent, { kind: 'commanded' | 'answered' | 'commented' | 'approved' }>;

/** Applies a decision of the user on tasks. */
function decideByUser(state: QueueState, event: UserEvent): void {
  switch (event.kind) {
    case 'commanded':
      command(state, event.id, event.verb, event.at);
      return;
    case 'answered':
      changeTask(state, event.id, (task) => answerQuestion(task, event.reply.answer, event.at));
      return;
    case 'commented':
      changeTask(state, event.id, (task) => commentOn(task, event, event.at));
      return;
    case 'approved':
      for (const id of event.ids) updateTask(state, id, { reopened: false });
      return;
  }
}

function rememberOp(state: QueueState, op: OpId, event: QueueEvent): void {
  state.ops.set(op, event);
  if (state.ops.size <= REMEMBERED_OPS + SPARE_OPS) return;
  // A map passes over each key that was deleted from its start: the oldest are deleted together.
  for (const oldest of state.ops.keys()) {
    if (state.ops.size <= REMEMBERED_OPS) return;
    state.ops.delete(oldest);
  }
}

function see(state: QueueState, row: SeenRow, at: EpochMs): void {
  const key = taskKey(row.id, row.power);
  const previous = currentTask(state, row.id);
  const old = state.tasks.get(key);
  const known =
    old === undefined ? newTask(row, at) : previous === old ? old : takeUpAgain(old, previous, at);
  // A row with an edited prompt keeps its shared cells, waits for the same next time, and keeps the record of the times that
  // were skipped. Other times, and the counts, of the old task do not apply to it.
  const carried =
    previous === undefined || previous === old
      ? known
      : {
          ...withSkippedOf(previous, withoutReview(known)),
          status: previous.status,
          retryCount: previous.retryCount,
          ownerScheduledAt: previous.ownerScheduledAt,
          ...nextTimeOf(previous),
        };
  state.powers.set(row.id, row.power);
  state.emptied = null;
  state.tasks.set(key, seeSharedCells(carried, row, at));
  noteId(state, row.id);
  const held = state.claims.get(row.id);
  if (held !== undefined && row.status === 'cancelled')
    state.claims.set(row.id, { ...held, cancelled: true });
}

/** Returns the time of the next repetition, if the task waits for that. */
function nextTimeOf({ dueAt, dueCause }: TaskState): Pick<TaskState, 'dueAt' | 'dueCause'> {
  return dueCause === 'repeat' ? { dueAt, dueCause } : { dueAt: null, dueCause: null };
}

function loseRows(state: QueueState, { ids, at, op }: Extract<QueueEvent, { kind: 'gone' }>): void {
  const open = ids.filter((id) => isOpen(state, id)).length;
  for (const id of ids) state.powers.delete(id);
  if (op === undefined && open > 0 && state.powers.size === 0) state.emptied = { at, open };
}

function settleMissed(state: QueueState, event: Extract<QueueEvent, { kind: 'missed' }>): void {
  const task = currentTask(state, event.id);
  if (task !== undefined) updateTask(state, event.id, settleTimes(task, event));
}

function claim(state: QueueState, claimed: Claim): void {
  state.claims.set(claimed.id, claimed);
  state.token = Math.max(state.token, claimed.token);
  state.attemptCounts.set(claimed.id, claimed.attempt);
  if (claimed.owner.kind === 'process') {
    state.turns.set(claimed.user ?? '', claimed.token);
    addRecent(state.starts, claimed.at, (start) => start > claimed.at - BUDGET_WINDOW_MS);
  }
}

function updateClaim(state: QueueState, id: TaskId, token: number, update: (held: Claim) => Claim): void {
  const held = state.claims.get(id);
  if (held?.token !== token) return;
  state.claims.set(id, update(held));
}

function changeTask(state: QueueState, id: TaskId, change: (task: TaskState) => TaskState): void {
  const task = currentTask(state, id);
  if (task === undefined) return;
  state.tasks.set(taskKey(id, task.power), change(task));
}

function updateTask(state: QueueState, id: TaskId, fields: Partial<TaskState>): void {
  const power = state.powers.get(id);
  if (power !== undefined) updateKey(state, taskKey(id, power), fields);
}

function updateKey(state: QueueState, key: string, fields: Partial<TaskState>): void {
  const task = state.tasks.get(key);
  if (task === undefined) return;
  state.tasks.set(key, { ...task, ...fields });
}

function finish(state: QueueState, event: Extract<QueueEvent, { kind: 'finished' }>): void {
  const held = state.claims.get(event.id);
  if (held?.token !== event.token) return;
  state.claims.delete(event.id);
  state.attempts.push(event.attempt);
  if (state.batchEnds !== null) state.batchEnds += 1;
  state.streak = continueStreak(state.streak, event.attempt);
  pay(state, event.attempt);
  putCallbacks(state, held, event);
  const key = taskKey(event.id, held.power);
  const task = state.tasks.get(key);
  if (task === undefined) return;
  // A row whose prompt was edited meanwhile is another task, which has not run.
  const isEdited = state.powers.has(event.id) && state.powers.get(event.id) !== held.power;
  state.tasks.set(key, endAttempt(task, held, event, isEdited));
}

function pay(state: QueueState, { endedAt, costUsd = 0 }: Attempt): void {
  if (costUsd <= 0) return;
  addRecent(state.costs, { at: endedAt, usd: costUsd }, ({ at }) => at > endedAt - COST_WINDOW_MS);
}

function release(state: QueueState, event: Extract<QueueEvent, { kind: 'released' }>): void {
  const held = state.claims.get(event.id);
  if (held?.token !== event.token) return;
  state.claims.delete(event.id);
  const { skip } = event;
  const key = taskKey(event.id, held.power);
  const task = state.tasks.get(key);
  if (skip !== undefined && task !== undefined) state.tasks.set(key, skipRun(task, skip));
  if (event.why === 'postponed' && task !== undefined) state.tasks.set(key, postpone(task, event.at));
  closeEmptyBatch(state);
  // The task did not run: its start does not count against the budget, and the next attempt has its number. A claim of the
  // user keeps its number, because an interactive Claude Code may have written files under it.
  if (held.owner.kind === 'process') {
    if (state.attemptCounts.get(event.id) === held.attempt)
      state.attemptCounts.set(event.id, held.attempt - 1);
    const last = state.starts.lastIndexOf(held.at);
    if (last >= 0) state.starts.splice(last, 1);
  }
}

/** A batch in which no attempt has ended was opened by claims that came to nothing: nothing is to be summed up. */
function closeEmptyBatch(state: QueueState): void {
  if (state.claims.size === 0 && attemptsOfBatch(state).length === 0) closeBatch(state);
}

function command(state: QueueState, id: TaskId, verb: Verb, at: EpochMs): void {
  switch (verb) {
    case 'retry':
      changeTask(state, id, (task) => tryAgain(task, at));
      return;
    case 'accept':
      noteAccepted(state, id, at);
      changeTask(state, id, (task) => acceptAttempt(task, at));
      return;
    case 'cancel': {
      const held = state.claims.get(id);
      if (held === undefined)
        changeTask(state, id, (task) => ({ ...withoutReview(task), status: 'cancelled' }));
      else state.claims.set(id, { ...held, cancelled: true });
      // The row was edited while it runs: cancel both the attempt and the new task.
      if (held !== undefined && held.power !== state.powers.get(id))
        updateTask(state, id, { status: 'cancelled' });
      return;
    }
  }
}

function resume(state: QueueState, which: Extract<QueueEvent, { kind: 'resumed' }>): void {
  setHolds(state, liftHolds(state.holds, which), which.at);
  if (which.by !== undefined || which.priorities !== undefined) return;
  state.streak = null;
  for (const [key, task] of state.tasks) {
    if (task.dueCause === 'limit') updateKey(state, key, { dueAt: null, dueCause: null });
  }
}

function pause(
  state: QueueState,
  { why, bound, at, by = 'person', priorities }: Extract<QueueEvent, { kind: 'held' }>,
): void {
  const placed: Hold = {
    ...{ by, why, at },
    ...(bound === undefined ? {} : { bound }),
    ...(priorities === undefined ? {} : { priorities }),
  };
  setHolds(state, placeHold(state.holds, placed), at);
}

/** Replaces the holds. Those that end are remembered as pauses. */
function setHolds(state: QueueState, holds: readonly Hold[], at: EpochMs): void {
  state.pauses = addPauses(state.pauses, state.holds, holds, at);
  state.holds = holds;
}
