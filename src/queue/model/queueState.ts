import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { Cost } from '../../domain/queue/view';
import type { OutboxEntry } from '../../domain/queue/notices';
import type { Timer } from '../../domain/queue/silence';
import type { TaskId } from '../../domain/task/task';
import type {
  Claim,
  RegisteredWorker,
  FailureStreak,
  Hold,
  Pause,
  ProcessOwner,
  TaskState,
} from '../../domain/queue/view';
import type { OpId, StopRequest } from '../taskQueue';
import type { QueueEvent } from './events';

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
  /** Attempts started per id, ever. */
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
  workers: readonly RegisteredWorker[];
  /** Notices that are to be sent, by their keys, and those that were and may be found again. */
  readonly outbox: Map<string, OutboxEntry>;
  /** Since when attempts count for the next notice that all is done; null: none has started. */
  batchSince: EpochMs | null;
  /** Calls that changed something, by name, so that a repeated one is answered and not done again. */
  readonly ops: Map<OpId, QueueEvent>;
}

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
