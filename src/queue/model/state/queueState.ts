import type { AskerFacts, RecordedInputs, RowFacts } from '../../../domain/reasons/recordedInputs';
import type { Attempt } from '../../../domain/task/attempt';
import type { EpochMs } from '../../../domain/time/epoch';
import type {
  Cost,
  Claim,
  RegisteredWorker,
  FailureStreak,
  Hold,
  Pause,
  ProcessOwner,
  TaskState,
} from '../../../domain/queue/view';
import type { CallbackEntry } from '../../../domain/queue/callbacks';
import type { OutboxEntry } from '../../../domain/queue/notices';
import type { Timer } from '../../../domain/queue/missingWorker';
import type { TaskId } from '../../../domain/task/task';
import type { OpId } from '../../taskQueue';
import type { StopRequest } from '../../../domain/queue/workerStop';
import type { QueueEvent } from '../events';

/**
 * State that the events of a queue add up to. Mutable for speed, but only `apply` changes it: the same events in the
 * same order always give the same state.
 */
export interface QueueState {
  revision: number;
  /** Tasks by id and fingerprint: an id that is reused never gets another task's session. */
  readonly tasks: Map<string, TaskState>;
  /** Current fingerprint of each id that has a row. */
  readonly powers: Map<TaskId, string>;
  readonly claims: Map<TaskId, Claim>;
  /** Number of attempts ever started, by id. */
  readonly attemptCounts: Map<TaskId, number>;
  readonly attempts: Attempt[];
  /** Starts and costs of attempts; those of the last day or two, and some older ones. */
  readonly starts: EpochMs[];
  readonly costs: Cost[];
  token: number;
  holds: readonly Hold[];
  /** Last pauses that have ended. */
  pauses: readonly Pause[];
  streak: FailureStreak | null;
  /** Token of the last claim by a worker, by tenant. */
  readonly turns: Map<string, number>;
  /** Time at which the history of another program was adopted. */
  adoptedAt: EpochMs | null;
  /** Timer that starts workers on the queue, if one is installed. */
  timer: Timer | null;
  stop: StopRequest | null;
  /** Registered workers that the stop request means. Times do not show them if the clock was set since. */
  stopping: readonly ProcessOwner[];
  /** Registered workers. Some may have died. */
  workers: readonly RegisteredWorker[];
  /** Notices by key: those to be sent, and those sent that may be observed again. */
  readonly outbox: Map<string, OutboxEntry>;
  /** Callbacks by key that were not delivered yet. */
  readonly callbacks: Map<string, CallbackEntry>;
  /** Time from which attempts count for the next `all-done` notice; null: none has started. */
  batchSince: EpochMs | null;
  /**
   * Number of attempts, the last ones, that have ended since then: times do not show them if the clock was set. Null: none
   * has started, or it was not counted by an earlier version.
   */
  batchEnds: number | null;
  /** Set while the queue has no rows because somebody emptied its file. */
  emptied: Emptied | null;
  /** Calls that changed something, by name, so that a repeated call is answered and not done again. */
  readonly ops: Map<OpId, QueueEvent>;
  /** Inputs of decisions as they were last recorded; null: never. Rows are in `rowFacts` and `rowOrder`. */
  inputs: RecordedInputs | null;
  /** Recorded facts about each registered worker that asked for a task (`nameAsker`). */
  readonly askers: Map<string, AskerFacts>;
  readonly rowFacts: Map<TaskId, RowFacts>;
  /** Ids of the valid rows, in row order. */
  rowOrder: TaskId[];
}

/** The loss of all rows of a queue by an edit of its file, not by a command. */
export interface Emptied {
  readonly at: EpochMs;
  /** Number of tasks among them that were pending and did not run. */
  readonly open: number;
}

/** Returns the state of a queue without events. */
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
    callbacks: new Map(),
    batchSince: null,
    batchEnds: null,
    emptied: null,
    ops: new Map(),
    inputs: null,
    askers: new Map(),
    rowFacts: new Map(),
    rowOrder: [],
  };
}

/** Returns a copy that can change without changing the original. */
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
    callbacks: new Map(state.callbacks),
    turns: new Map(state.turns),
    ops: new Map(state.ops),
    askers: new Map(state.askers),
    rowFacts: new Map(state.rowFacts),
  };
}

/** The last key of each id. A map hashes a text once, and each new key would be a new text. */
const lastKeys = new Map<TaskId, { readonly power: string; readonly key: string }>();

/** Returns the key of a task: its id and fingerprint. */
export function taskKey(id: TaskId, power: string): string {
  const last = lastKeys.get(id);
  if (last?.power === power) return last.key;
  const key = `${String(id)}:${power}`;
  lastKeys.set(id, { power, key });
  return key;
}

/** Returns the task of the row that has this id now. */
export function currentTask(state: QueueState, id: TaskId): TaskState | undefined {
  const power = state.powers.get(id);
  return power === undefined ? undefined : state.tasks.get(taskKey(id, power));
}

/** Whether the task of the row that has this id now is pending and does not run. */
export function isOpen(state: QueueState, id: TaskId): boolean {
  return currentTask(state, id)?.status === 'pending' && !state.claims.has(id);
}

/** Whether nothing has run yet, and no other history was adopted. */
export function isUntouched({ adoptedAt, attemptCounts }: QueueState): boolean {
  return adoptedAt === null && attemptCounts.size === 0;
}
