import type { TaskId } from '../../domain/task';
import type { LogLines, QueueEvent } from '../model/events';
import { apply, emptyState, type QueueState } from '../model/state';

/** The texts of a row's shared cells: status, scheduled_time, retry_count. A column that is not there is null. */
export type SharedTexts = readonly [status: string | null, scheduledTime: string | null, retryCount: string | null];

/** The shared columns, in the order of `SharedTexts`. */
export const SHARED_COLUMNS = ['status', 'scheduled_time', 'retry_count'] as const;

/** One line of the journal: all of it happened, or nothing. */
export interface Entry {
  readonly events?: readonly QueueEvent[];
  /** What the shared cells of these rows were found to hold. */
  readonly found?: readonly (readonly [TaskId, SharedTexts])[];
  /** The file is about to be written. */
  readonly fold?: FoldIntent;
  /** The file, and the logs, have been written. */
  readonly folded?: true;
}

/** What a fold will do, so that a later one can finish it. */
export interface FoldIntent {
  /** What the shared cells of the rows that change will hold. */
  readonly cells: readonly (readonly [TaskId, SharedTexts])[];
  /** SHA-256 of the file that it replaces. */
  readonly base: string;
  /** SHA-256 of the file that it writes. */
  readonly result: string;
  /** Sizes of the logs before the lines are added. */
  readonly logSizes: Readonly<Record<string, number>>;
}

/** Everything that the journal of a queue file adds up to. */
export interface FileState {
  readonly queue: QueueState;
  /** What the shared cells hold as far as the program knows: a cell that differs was changed by a person. */
  readonly projected: Map<TaskId, SharedTexts>;
  /** What they held before a fold that may not have happened. */
  readonly unconfirmed: Map<TaskId, SharedTexts>;
  /** SHA-256 of the file as the last fold wrote it. */
  lastResult: string | null;
  /** Log lines that no fold has taken up. */
  readonly waitingLogs: Map<string, string>;
  /** A fold whose end is not known, with the log lines it was to write. */
  interrupted: (FoldIntent & { readonly logs: ReadonlyMap<string, string> }) | null;
}

/** The state before the first entry. */
export function emptyFileState(): FileState {
  return {
    queue: emptyState(),
    projected: new Map(),
    unconfirmed: new Map(),
    lastResult: null,
    waitingLogs: new Map(),
    interrupted: null,
  };
}

/** Lets an entry of the journal happen to the state. */
export function applyEntry(state: FileState, entry: Entry): void {
  for (const event of entry.events ?? []) apply(state.queue, event);
  applyRest(state, entry);
}

/** As `applyEntry`, for an entry whose events have happened to the state already. */
export function applyRest(state: FileState, entry: Entry): void {
  for (const event of entry.events ?? []) keepLogs(state, event);
  for (const [id, texts] of entry.found ?? []) {
    state.projected.set(id, texts);
    state.unconfirmed.delete(id);
  }
  if (entry.fold !== undefined) beginFold(state, entry.fold);
  if (entry.folded === true) {
    state.unconfirmed.clear();
    state.interrupted = null;
  }
}

function keepLogs(state: FileState, event: QueueEvent): void {
  const logs: LogLines | undefined = 'logs' in event ? event.logs : undefined;
  for (const [name, lines] of Object.entries(logs ?? {})) {
    state.waitingLogs.set(name, (state.waitingLogs.get(name) ?? '') + lines);
  }
}

function beginFold(state: FileState, fold: FoldIntent): void {
  for (const [id, texts] of fold.cells) {
    const before = state.projected.get(id);
    if (before !== undefined) state.unconfirmed.set(id, before);
    state.projected.set(id, texts);
  }
  state.lastResult = fold.result;
  state.interrupted = { ...fold, logs: new Map(state.waitingLogs) };
  state.waitingLogs.clear();
}
