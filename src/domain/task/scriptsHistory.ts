import { groupBy } from '../lists';
import type { Attempt, EndNote } from './attempt';
import type { EpochMs } from '../time/epoch';
import { nextTime } from '../time/schedule';
import type { TaskId } from './task';
import type { TaskState, TaskView } from '../queue/view';

/** The logs of `queue_manager.sh`. */
export type ScriptsLog = 'executed.log' | 'repeat_tasks.log' | 'quota_exceeded.log' | 'retry_tasks.log';

/** One record of a log of `queue_manager.sh`. */
export interface ScriptsRecord {
  readonly log: ScriptsLog;
  readonly id: TaskId;
  /** Time at which it was written: the end of the run. */
  readonly at: EpochMs;
  readonly seconds: number;
  /** Exit code of the run; 2 in quota_exceeded.log. */
  readonly code: number;
  /** Prompt cell of the row at that time, up to its first comma, without quotes. */
  readonly prompt: string;
}

/** The reason of an attempt that `queue_manager.sh` made. */
export const BY_SCRIPTS = 'queue_manager';

/** Exit code of a task that was written into NEXT_TASK.md. Whether it was done is not known. */
const HANDED_OVER = 99;

/** A row that reads `pending` although the scripts ran it, or handed it to the user. */
export interface UndecidedTask {
  readonly id: TaskId;
  /** The record that says so. */
  readonly record: ScriptsRecord;
  readonly isHandedOver: boolean;
  /** Whether the row had the same prompt then. */
  readonly isSamePrompt: boolean;
}

/** The user's decision about such a row. */
export type Decision = 'done' | 'again';

/** A repeating task whose last run says when it is due. */
export interface DueTask {
  readonly id: TaskId;
  readonly ranAt: EpochMs;
  readonly dueAt: EpochMs;
}

/** Content of the logs of `queue_manager.sh` about a queue. */
export interface ScriptsHistory {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  readonly due: readonly DueTask[];
  readonly undecided: readonly UndecidedTask[];
  /** Changes to the tasks' state before any decision. Tasks that wait for a decision are in review. */
  readonly tasks: readonly AdoptedTask[];
  /** Number of times that a task was written into NEXT_TASK.md. */
  readonly handOvers: number;
}

/** Changes to a task's state when its history is imported. */
export interface AdoptedTask {
  readonly id: TaskId;
  readonly power: string;
  readonly state: Partial<
    Pick<
      TaskState,
      | 'status'
      | 'retryCount'
      | 'dueAt'
      | 'dueCause'
      | 'lastSuccessAt'
      | 'lastOutcome'
      | 'lastMessage'
      | 'lastNote'
    >
  >;
}

/** Returns what the records, oldest first, say about these tasks. */
export function readScriptsHistory(
  records: readonly ScriptsRecord[],
  tasks: readonly TaskView[],
  timeZone: string,
): ScriptsHistory {
  const byId = groupBy(records, ({ id }) => id);
  const views = new Map(tasks.map((task) => [task.definition.id, task]));
  const known = tasks.flatMap((task) => {
    const own = byId.get(task.definition.id);
    return own === undefined ? [] : [{ task, own }];
  });
  return {
    attempts: toAttempts(records, views),
    due: known.flatMap(({ task, own }) => findDue(task, own, timeZone) ?? []),
    undecided: known.flatMap(({ task, own }) => findUndecided(task, own) ?? []),
    tasks: known.map(({ task, own }) => toAdopted(task, own, timeZone)),
    handOvers: records.filter(isHandOver).length,
  };
}

/** Returns the changes after the user's decisions. */
export function decideTasks(
  { tasks }: Pick<ScriptsHistory, 'tasks'>,
  decisions: ReadonlyMap<TaskId, Decision>,
): readonly AdoptedTask[] {
  return tasks.map((task) => {
    const decision = decisions.get(task.id);
    if (decision === undefined) return task;
    const status = decision === 'done' ? 'completed' : 'pending';
    return { ...task, state: { ...task.state, status, retryCount: 0 } };
  });
}

function isHandOver({ log, code }: ScriptsRecord): boolean {
  return log === 'retry_tasks.log' && code === HANDED_OVER;
}

function toAttempts(
  records: readonly ScriptsRecord[],
  views: ReadonlyMap<TaskId, TaskView>,
): readonly Attempt[] {
  const counts = new Map<TaskId, number>();
  return records
    .filter((record) => !isHandOver(record))
    .map((record) => {
      const number = (counts.get(record.id) ?? 0) + 1;
      counts.set(record.id, number);
      return toAttempt(record, number, views.get(record.id)?.state.power ?? '');
    });
}

function toAttempt(record: ScriptsRecord, number: number, power: string): Attempt {
  const { id, at, seconds, code } = record;
  const outcome = outcomeOf(record);
  return {
    id,
    number,
    power,
    session: null,
    startedAt: at - seconds * 1000,
    endedAt: at,
    outcome,
    reason: BY_SCRIPTS,
    message: '',
    note: noteOf(record),
    code,
    ...(outcome === 'limit' ? { closedSince: at } : {}),
  };
}

function outcomeOf({ log, code }: ScriptsRecord): 'limit' | 'success' | 'error' {
  if (log === 'quota_exceeded.log') return 'limit';
  return code === 0 ? 'success' : 'error';
}

function noteOf({ log, code }: ScriptsRecord): EndNote {
  return { kind: 'ended-by-scripts', log, code };
}

/**
 * Returns when a repeating task is due. The scripts count the interval from the end of its last run in
 * repeat_tasks.log, regardless of the exit code.
 */
function findDue(task: TaskView, own: readonly ScriptsRecord[], timeZone: string): DueTask | null {
  const { id, repeat } = task.definition;
  const last = own.findLast(({ log }) => log === 'repeat_tasks.log');
  if (repeat === undefined || last === undefined) return null;
  return { id, ranAt: last.at, dueAt: nextTime(repeat, last.at, timeZone) };
}

/**
 * Returns a row that needs a decision. The scripts never run a row again that is in executed.log, regardless of its
 * exit code, and leave it `pending`.
 */
function findUndecided({ definition, state }: TaskView, own: readonly ScriptsRecord[]): UndecidedTask | null {
  if (definition.repeat !== undefined || state.status !== 'pending') return null;
  const record =
    own.findLast(({ log }) => log === 'executed.log') ??
    (onlyHandedOver(own) ? own.findLast(isHandOver) : undefined);
  if (record === undefined) return null;
  return {
    id: definition.id,
    record,
    isHandedOver: isHandOver(record),
    isSamePrompt: definition.prompt.trim().startsWith(record.prompt),
  };
}

/** Whether `retry_count` counts no failures, but tasks that were handed to the user. */
function onlyHandedOver(own: readonly ScriptsRecord[]): boolean {
  const retries = own.filter(({ log }) => log === 'retry_tasks.log');
  return retries.length > 0 && retries.every(isHandOver);
}

function toAdopted(task: TaskView, own: readonly ScriptsRecord[], timeZone: string): AdoptedTask {
  const { definition, state } = task;
  const due = findDue(task, own, timeZone);
  const success = own.findLast((record) => outcomeOf(record) === 'success');
  const last = own.findLast((record) => !isHandOver(record));
  return {
    id: definition.id,
    power: state.power,
    state: {
      ...(due === null ? {} : { dueAt: due.dueAt, dueCause: 'repeat' as const }),
      ...(success === undefined ? {} : { lastSuccessAt: success.at }),
      ...(last === undefined
        ? {}
        : { lastOutcome: outcomeOf(last), lastMessage: '', lastNote: noteOf(last) }),
      ...(onlyHandedOver(own) ? { retryCount: 0 } : {}),
      ...toReview(findUndecided(task, own)),
    },
  };
}

function toReview(undecided: UndecidedTask | null): AdoptedTask['state'] {
  if (undecided === null) return {};
  const kind = undecided.isHandedOver ? 'written-by-scripts' : 'undecided-by-scripts';
  return { status: 'review', lastMessage: '', lastNote: { kind } };
}
