import type { Attempt } from '../../domain/attempt';
import { BUDGET_WINDOW_MS } from '../../domain/budget';
import type { EpochMs } from '../../domain/epoch';
import { liftHolds } from '../../domain/holds';
import { continueStreak } from '../../domain/streak';
import { COST_WINDOW_MS, type Cost } from '../../domain/nightBudget';
import type { OutboxEntry } from '../../domain/notices';
import type { Timer } from '../../domain/silence';
import type { TaskId } from '../../domain/task';
import type {
  Claim,
  EnlistedWorker,
  FailureStreak,
  Hold,
  Pause,
  ProcessOwner,
  TaskState,
} from '../../domain/view';
import type { OpId, StopRequest, Verb } from '../taskQueue';
import type { QueueEvent, SeenRow } from './events';
import { applyBeside } from './besideState';
import { hold, setHolds } from './holdState';
import { applyToOutbox } from './outboxState';
import {
  acceptAttempt,
  answerQuestion,
  endAttempt,
  newTask,
  seeSharedCells,
  settleTimes,
  tryAgain,
} from './taskChanges';
import { applyToWorkers } from './workerEvents';

/**
 * Everything that the events of a queue add up to. Mutable for speed, but only by `apply`: the same events in
 * the same order always give the same state.
 */
export interface QueueState {
  revision: number;
  /** History belongs to an id with its power: an id that is used again never meets another task's session. */
  readonly tasks: Map<string, TaskState>;
  /** The power that each id has now; rows that are gone are not in it. */
  readonly powers: Map<TaskId, string>;
  readonly claims: Map<TaskId, Claim>;
  /** Attempts begun per id, ever. */
  readonly attemptCounts: Map<TaskId, number>;
  readonly attempts: Attempt[];
  starts: EpochMs[];
  costs: Cost[];
  token: number;
  holds: readonly Hold[];
  /** The last pauses that are over. */
  pauses: readonly Pause[];
  streak: FailureStreak | null;
  /** The token of the last claim that a worker made of each tenant's tasks. */
  turns: ReadonlyMap<string, number>;
  /** When the history of another program was taken over. */
  adoptedAt: EpochMs | null;
  /** The timer that starts workers on the queue, where one is installed. */
  timer: Timer | null;
  stop: StopRequest | null;
  /** The workers on record whom that request means: times would not tell, where the clock was set since. */
  stopping: readonly ProcessOwner[];
  /** Those that have not left; some of them may have died. */
  workers: readonly EnlistedWorker[];
  /** Notices that are to be sent, by their keys, and those that were and may be found again. */
  readonly outbox: Map<string, OutboxEntry>;
  /** Since when attempts count for the next notice that all is done; null: none has started. */
  batchSince: EpochMs | null;
  /** Calls that changed something, by name, so that a repeated one is answered and not done again. */
  readonly ops: Map<OpId, QueueEvent>;
  /** Whose ids something happened to since this was last emptied; `all` where everything may be another. */
  touched: Set<TaskId> | 'all';
}

/** As many calls as are remembered by name. */
const REMEMBERED_OPS = 1000;

/** A queue in which nothing has happened. */
export function emptyState(): QueueState {
  return {
    revision: 0,
    tasks: new Map(),
    powers: new Map(),
    claims: new Map(),
    attemptCounts: new Map(),
    attempts: [],
    starts: [],
    costs: [],
    token: 0,
    holds: [],
    pauses: [],
    streak: null,
    turns: new Map(),
    adoptedAt: null,
    timer: null,
    stop: null,
    stopping: [],
    workers: [],
    outbox: new Map(),
    batchSince: null,
    ops: new Map(),
    touched: 'all',
  };
}

/** A copy that can be changed without changing the original. */
export function copyState(state: QueueState): QueueState {
  return {
    ...state,
    tasks: new Map(state.tasks),
    powers: new Map(state.powers),
    claims: new Map(state.claims),
    attemptCounts: new Map(state.attemptCounts),
    attempts: [...state.attempts],
    starts: [...state.starts],
    costs: [...state.costs],
    outbox: new Map(state.outbox),
    ops: new Map(state.ops),
    touched: state.touched === 'all' ? 'all' : new Set(state.touched),
  };
}

/** The key of what is remembered of an id with a power. */
export function taskKey(id: TaskId, power: string): string {
  return `${String(id)}:${power}`;
}

/** What is remembered of the row that has this id now. */
export function currentTask(state: QueueState, id: TaskId): TaskState | undefined {
  const power = state.powers.get(id);
  return power === undefined ? undefined : state.tasks.get(taskKey(id, power));
}

/** Lets one event happen to the state. */
export function apply(state: QueueState, event: QueueEvent): void {
  state.revision += 1;
  if (event.op !== undefined) rememberOp(state, event.op, event);
  switch (event.kind) {
    case 'seen':
      for (const row of event.rows) see(state, row, event.at);
      return;
    case 'gone':
      for (const id of event.ids) forgetRow(state, id);
      return;
    case 'claimed':
      claim(state, event.claim);
      if (event.opensBatch === true) state.batchSince = event.at;
      return;
    case 'started':
      updateClaim(state, event.id, event.token, (held) => ({ ...held, run: event.run }));
      return;
    case 'finished':
      finish(state, event);
      return;
    case 'released':
      release(state, event);
      return;
    case 'commanded':
      command(state, event.id, event.verb, event.at);
      return;
    case 'answered':
      changeTask(state, event.id, (task) => answerQuestion(task, event.reply.answer, event.at));
      return;
    case 'approved':
      for (const id of event.ids) updateTask(state, id, { reopened: false });
      return;
    case 'held':
      hold(state, event);
      return;
    case 'resumed':
      resume(state, event);
      return;
    case 'missed':
      settleMissed(state, event);
      return;
    case 'adopted':
    case 'scheduled':
    case 'timer-started':
      applyBeside(state, event);
      return;
    case 'stop':
    case 'enlisted':
    case 'left':
      applyToWorkers(state, event);
      return;
    case 'raised':
    case 'sending':
    case 'sent':
      applyToOutbox(state, event);
      return;
  }
}

function rememberOp(state: QueueState, op: OpId, event: QueueEvent): void {
  state.ops.set(op, event);
  if (state.ops.size <= REMEMBERED_OPS) return;
  for (const oldest of state.ops.keys()) {
    state.ops.delete(oldest);
    return;
  }
}

function touch({ touched }: QueueState, id: TaskId): void {
  if (touched !== 'all') touched.add(id);
}

function see(state: QueueState, row: SeenRow, at: EpochMs): void {
  touch(state, row.id);
  const key = taskKey(row.id, row.power);
  const known = state.tasks.get(key) ?? newTask(row, at);
  const previous = currentTask(state, row.id);
  // An edited prompt keeps what the row's shared cells said; times and counts of the old task do not count for it.
  const carried =
    previous === undefined || previous === known
      ? known
      : {
          ...known,
          status: previous.status,
          retryCount: previous.retryCount,
          ownerScheduledAt: previous.ownerScheduledAt,
          dueAt: null,
          dueCause: null,
        };
  state.powers.set(row.id, row.power);
  state.tasks.set(key, seeSharedCells(carried, row, at));
  const held = state.claims.get(row.id);
  if (held !== undefined && row.status === 'cancelled')
    state.claims.set(row.id, { ...held, cancelled: true });
}

function forgetRow(state: QueueState, id: TaskId): void {
  touch(state, id);
  state.powers.delete(id);
}

function settleMissed(state: QueueState, event: Extract<QueueEvent, { kind: 'missed' }>): void {
  const task = currentTask(state, event.id);
  if (task !== undefined) updateTask(state, event.id, settleTimes(task, event));
}

function claim(state: QueueState, claimed: Claim): void {
  touch(state, claimed.id);
  state.claims.set(claimed.id, claimed);
  state.token = Math.max(state.token, claimed.token);
  state.attemptCounts.set(claimed.id, claimed.attempt);
  if (claimed.owner.kind === 'process') {
    state.turns = new Map(state.turns).set(claimed.user ?? '', claimed.token);
    const recent = state.starts.findIndex((start) => start > claimed.at - BUDGET_WINDOW_MS);
    state.starts = [...(recent < 0 ? [] : state.starts.slice(recent)), claimed.at];
  }
}

function updateClaim(state: QueueState, id: TaskId, token: number, update: (held: Claim) => Claim): void {
  const held = state.claims.get(id);
  if (held?.token !== token) return;
  touch(state, id);
  state.claims.set(id, update(held));
}

function changeTask(state: QueueState, id: TaskId, change: (task: TaskState) => TaskState): void {
  const task = currentTask(state, id);
  if (task === undefined) return;
  touch(state, id);
  state.tasks.set(taskKey(id, task.power), change(task));
}

function updateTask(state: QueueState, id: TaskId, fields: Partial<TaskState>): void {
  const power = state.powers.get(id);
  if (power !== undefined) updateKey(state, taskKey(id, power), fields);
}

function updateKey(state: QueueState, key: string, fields: Partial<TaskState>): void {
  const task = state.tasks.get(key);
  if (task === undefined) return;
  touch(state, task.id);
  state.tasks.set(key, { ...task, ...fields });
}

function finish(state: QueueState, event: Extract<QueueEvent, { kind: 'finished' }>): void {
  const held = state.claims.get(event.id);
  if (held?.token !== event.token) return;
  touch(state, event.id);
  state.claims.delete(event.id);
  state.attempts.push(event.attempt);
  state.streak = continueStreak(state.streak, event.attempt);
  pay(state, event.attempt);
  const key = taskKey(event.id, held.power);
  const task = state.tasks.get(key);
  if (task === undefined) return;
  // A row whose prompt was edited meanwhile is another task: what has not run is not done.
  const isEdited = state.powers.has(event.id) && state.powers.get(event.id) !== held.power;
  state.tasks.set(key, endAttempt(task, held, event, isEdited));
}

function pay(state: QueueState, { endedAt, costUsd = 0 }: Attempt): void {
  if (costUsd <= 0) return;
  const recent = state.costs.filter(({ at }) => at > endedAt - COST_WINDOW_MS);
  state.costs = [...recent, { at: endedAt, usd: costUsd }];
}

function release(state: QueueState, event: Extract<QueueEvent, { kind: 'released' }>): void {
  const held = state.claims.get(event.id);
  if (held?.token !== event.token) return;
  touch(state, event.id);
  state.claims.delete(event.id);
  // It did not run: its start is given back to the budget.
  if (held.owner.kind === 'process') {
    const last = state.starts.lastIndexOf(held.at);
    if (last >= 0) state.starts = state.starts.filter((_, index) => index !== last);
  }
}

function command(state: QueueState, id: TaskId, verb: Verb, at: EpochMs): void {
  switch (verb) {
    case 'retry':
      changeTask(state, id, (task) => tryAgain(task, at));
      return;
    case 'accept':
      changeTask(state, id, (task) => acceptAttempt(task, at));
      return;
    case 'cancel': {
      const held = state.claims.get(id);
      touch(state, id);
      if (held === undefined) updateTask(state, id, { status: 'cancelled' });
      else state.claims.set(id, { ...held, cancelled: true });
      // The row was edited while it runs: what is to be cancelled is both, the old run and the new task.
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
