import type { Attempt } from '../../domain/task/attempt';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import type { LogLines, QueueEvent } from '../model/events';
import { apply } from '../model/state/apply';
import { emptyState, type QueueState } from '../model/state/queueState';
import type { OpId } from '../taskQueue';
import type { SharedTexts } from '../row/sharedCells';
import type { StampTexts } from '../../platform/files/fileStamp';
import { restorePart, type SnapshotPart } from './journal/snapshotParts';

/** Texts of the shared cells of some rows. */
export type RowTexts = readonly (readonly [TaskId, SharedTexts])[];

/** Entry of the journal: all of it happened, or nothing. */
export interface Entry {
  readonly events?: readonly QueueEvent[];
  /** Set when the whole file was read: rows whose shared cells changed, with their texts. */
  readonly found?: RowTexts;
  /** Name of the file, if the history had another or none. */
  readonly file?: string;
  /** Id of a row that is about to be appended for this call. */
  readonly reserved?: { readonly op: OpId; readonly id: TaskId };
  /** Checkpoint that is about to write the file, or only the logs. */
  readonly fold?: CheckpointIntent;
  /** End of a checkpoint: the logs are written; `true`: the file too. */
  readonly folded?: boolean;
  /** Stamp of the written file, if it is enough to identify it. */
  readonly stamp?: StampTexts;
  /** Part of the snapshot that replaces earlier generations of the journal. */
  readonly snapshot?: SnapshotPart;
  /** The attempts in `leaving` have been archived. */
  readonly left?: true;
}

/** Intent of a checkpoint, recorded so that a later one can finish it. */
export interface CheckpointIntent {
  /** By the machine's clock. */
  readonly at: EpochMs;
  /** New texts of the shared cells of the rows that change. */
  readonly cells: RowTexts;
  /** SHA-256 of the file that it writes; null where only logs are written. */
  readonly result: string | null;
  /** SHA-256 of the file that it replaces. */
  readonly base?: string;
  /** Sizes of the logs before the lines are added. */
  readonly logSizes: Readonly<Record<string, number>>;
}

/**
 * File as the last checkpoint left it. A file with this stamp differs from the one with digest `base` only in shared
 * cells. A reader that has `base` need not read it.
 */
export interface LastCheckpoint {
  readonly base: string;
  readonly result: string;
  readonly stamp: StampTexts;
}

/** Texts that a checkpoint replaced. */
export interface Replaced {
  readonly at: EpochMs;
  readonly texts: SharedTexts;
}

/** State that the journal of a queue file adds up to. All values are plain, since snapshots hold them as JSON. */
export interface FileState {
  readonly queue: QueueState;
  /** Name of the file whose history this is; null until it is recorded. */
  file: string | null;
  /**
   * Texts of the shared cells as the program last wrote or read them. A cell that differs was changed by the user.
   */
  readonly projected: Map<TaskId, SharedTexts>;
  /** Texts before a checkpoint that may not have happened. */
  readonly unconfirmed: Map<TaskId, SharedTexts>;
  /**
   * Texts that the last checkpoints replaced in each row. A user who saves right after a checkpoint has not seen it
   * yet.
   */
  readonly replaced: Map<TaskId, readonly Replaced[]>;
  /** Ids of rows that are being appended, by call. */
  readonly reserved: Map<OpId, TaskId>;
  /** SHA-256 of the file as the last checkpoint wrote it. */
  lastResult: string | null;
  /** Last completed checkpoint of the file; null if its file cannot be identified by its stamp. */
  lastFold: LastCheckpoint | null;
  /** Log lines that are in no checkpoint yet. */
  readonly waitingLogs: Map<string, string>;
  /** Checkpoint whose end is not recorded, with the log lines it was to write. */
  interrupted: (CheckpointIntent & { readonly logs: LogLines }) | null;
  /** Time at which a task was first found to have no row, by task key. */
  readonly rowless: Map<string, EpochMs>;
  /** Attempts that are too old and still to be archived. */
  readonly leaving: Attempt[];
  /** Size of the archive before the attempts in `leaving` are appended, in bytes. */
  leavingBehind: number;
}

/**
 * Time after a checkpoint, in ms, within which a save with replaced texts does not count as an edit. An editor, or a
 * script between reading and writing, has not seen the checkpoint. No user reads a result and reverts it that fast.
 */
export const UNSEEN_MS = 2_000;

/** Returns the state before the first entry. */
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

/** Applies an entry of the journal to the state. */
export function applyEntry(state: FileState, entry: Entry): void {
  if (entry.snapshot !== undefined) restorePart(state, entry.snapshot);
  for (const event of entry.events ?? []) apply(state.queue, event);
  applyRest(state, entry);
}

/** Applies an entry whose events are applied to the state already. */
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

function startCheckpoint(state: FileState, intent: CheckpointIntent): void {
  for (const [id, texts] of intent.cells) {
    const before = state.projected.get(id);
    if (before !== undefined) keepReplaced(state, id, { at: intent.at, texts: before });
    state.projected.set(id, texts);
  }
  if (intent.result !== null) state.lastResult = intent.result;
  state.interrupted = { ...intent, logs: Object.fromEntries(state.waitingLogs) };
  state.waitingLogs.clear();
}

function keepReplaced(state: FileState, id: TaskId, replaced: Replaced): void {
  state.unconfirmed.set(id, replaced.texts);
  const recent = (state.replaced.get(id) ?? []).filter(({ at }) => replaced.at - at < UNSEEN_MS);
  state.replaced.set(id, [...recent, replaced]);
}
