import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import type { LogLines, QueueEvent } from '../model/events';
import { apply } from '../model/state';
import { emptyState, type QueueState } from '../model/queueState';
import type { OpId } from '../taskQueue';
import type { StampTexts } from '../../platform/files/fileStamp';
import { restorePart, type SnapshotPart } from './journal/snapshot';

/** The texts of a row's shared cells, in the order of `SHARED_COLUMNS`. A column that is not there is null. */
export type SharedTexts = readonly [
  status: string | null,
  scheduledTime: string | null,
  retryCount: string | null,
];

/** Texts of the shared cells of some rows. */
export type RowTexts = readonly (readonly [TaskId, SharedTexts])[];

/** One line of the journal: all of it happened, or nothing. */
export interface Entry {
  readonly events?: readonly QueueEvent[];
  /** The whole file was read, and the shared cells of these rows held something new. */
  readonly found?: RowTexts;
  /** The name of the file in which they were found, where it was not known by that name. */
  readonly file?: string;
  /** A row with this id is about to be appended for this call. */
  readonly reserved?: { readonly op: OpId; readonly id: TaskId };
  /** The file, or only the logs, are about to be written. */
  readonly fold?: CheckpointIntent;
  /** The logs have been written; `true`: and the file too. */
  readonly folded?: boolean;
  /** Of the file that was written, where that is enough to know it by. */
  readonly stamp?: StampTexts;
  /** Part of what earlier generations of the journal add up to. */
  readonly snapshot?: SnapshotPart;
  /** The attempts that were leaving have been archived. */
  readonly left?: true;
}

/** What a fold will do, so that a later one can finish it. */
export interface CheckpointIntent {
  /** By the machine's clock. */
  readonly at: EpochMs;
  /** What the shared cells of the rows that change will hold. */
  readonly cells: RowTexts;
  /** SHA-256 of the file that it writes; null where only logs are written. */
  readonly result: string | null;
  /** SHA-256 of the file that it replaces. */
  readonly base?: string;
  /** Sizes of the logs before the lines are added. */
  readonly logSizes: Readonly<Record<string, number>>;
}

/**
 * A file as a fold left it: with this stamp it is the one that was there before, but for shared cells. Anyone who knows
 * that one need not read it.
 */
export interface LastCheckpoint {
  readonly base: string;
  readonly result: string;
  readonly stamp: StampTexts;
}

/** Texts that a fold replaced. */
export interface Replaced {
  readonly at: EpochMs;
  readonly texts: SharedTexts;
}

/** Everything that the journal of a queue file adds up to. What is in its fields is plain: snapshots hold it as JSON. */
export interface FileState {
  readonly queue: QueueState;
  /** The name of the file whose history this is; null before it was first told. */
  file: string | null;
  /** What the shared cells hold as far as the program knows: a cell that differs was changed by the user. */
  readonly projected: Map<TaskId, SharedTexts>;
  /** What they held before a fold that may not have happened. */
  readonly unconfirmed: Map<TaskId, SharedTexts>;
  /** What the last folds replaced in each row: anyone who saves right after a fold has not seen it yet. */
  readonly replaced: Map<TaskId, readonly Replaced[]>;
  /** Ids of rows that are being appended, by call. */
  readonly reserved: Map<OpId, TaskId>;
  /** SHA-256 of the file as the last fold wrote it. */
  lastResult: string | null;
  /** The last fold of the file that came to its end; null where its file cannot be known by its stamp. */
  lastFold: LastCheckpoint | null;
  /** Log lines that no fold has taken up. */
  readonly waitingLogs: Map<string, string>;
  /** A fold whose end is not known, with the log lines it was to write. */
  interrupted: (CheckpointIntent & { readonly logs: LogLines }) | null;
  /** Since when tasks are known to have no row, by the tasks' keys. */
  readonly rowless: Map<string, EpochMs>;
  /** Attempts that are too old to be kept and still to be archived, behind as many bytes. */
  readonly leaving: Attempt[];
  leavingBehind: number;
}

/**
 * Within this time after a fold a cell that holds what the fold replaced was saved by somebody who had not seen the
 * fold: an editor, or a script between its reading and its writing. No person reads a result and takes it back so fast.
 */
export const UNSEEN_MS = 2_000;

/** The state before the first entry. */
export function emptyFileState(): FileState {
  return {
    queue: emptyState(),
    file: null,
    projected: new Map(),
    unconfirmed: new Map(),
    replaced: new Map(),
    reserved: new Map(),
    lastResult: null,
    lastFold: null,
    waitingLogs: new Map(),
    interrupted: null,
    rowless: new Map(),
    leaving: [],
    leavingBehind: 0,
  };
}

/** Lets an entry of the journal happen to the state. */
export function applyEntry(state: FileState, entry: Entry): void {
  if (entry.snapshot !== undefined) restorePart(state, entry.snapshot);
  for (const event of entry.events ?? []) apply(state.queue, event);
  applyRest(state, entry);
}

/** As `applyEntry`, for an entry whose events have happened to the state already. */
export function applyRest(state: FileState, entry: Entry): void {
  for (const event of entry.events ?? []) {
    keepLogs(state, event);
    if (event.op !== undefined) state.reserved.delete(event.op);
  }
  if (entry.reserved !== undefined) state.reserved.set(entry.reserved.op, entry.reserved.id);
  if (entry.file !== undefined) state.file = entry.file;
  if (entry.found !== undefined) {
    for (const [id, texts] of entry.found) state.projected.set(id, texts);
    state.unconfirmed.clear();
  }
  if (entry.fold !== undefined) startCheckpoint(state, entry.fold);
  if (entry.folded !== undefined) {
    if (entry.folded) {
      state.lastFold = lastCheckpointOf(state.interrupted, entry.stamp);
      state.unconfirmed.clear();
    }
    state.interrupted = null;
  }
  if (entry.left === true) state.leaving.length = 0;
}

function lastCheckpointOf(
  intent: CheckpointIntent | null,
  stamp: StampTexts | undefined,
): LastCheckpoint | null {
  const { base, result = null } = intent ?? {};
  return base === undefined || result === null || stamp === undefined ? null : { base, result, stamp };
}

function keepLogs(state: FileState, event: QueueEvent): void {
  const logs: LogLines | undefined = 'logs' in event ? event.logs : undefined;
  for (const [name, lines] of Object.entries(logs ?? {})) {
    state.waitingLogs.set(name, (state.waitingLogs.get(name) ?? '') + lines);
  }
}

function startCheckpoint(state: FileState, fold: CheckpointIntent): void {
  for (const [id, texts] of fold.cells) {
    const before = state.projected.get(id);
    if (before !== undefined) keepReplaced(state, id, { at: fold.at, texts: before });
    state.projected.set(id, texts);
  }
  if (fold.result !== null) state.lastResult = fold.result;
  state.interrupted = { ...fold, logs: Object.fromEntries(state.waitingLogs) };
  state.waitingLogs.clear();
}

function keepReplaced(state: FileState, id: TaskId, replaced: Replaced): void {
  state.unconfirmed.set(id, replaced.texts);
  const recent = (state.replaced.get(id) ?? []).filter(({ at }) => replaced.at - at < UNSEEN_MS);
  state.replaced.set(id, [...recent, replaced]);
}
