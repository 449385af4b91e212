import type { Attempt } from '../../domain/task/attempt';
import type { Problem } from '../../domain/problem';
import type { EpochMs } from '../../domain/time/epoch';
import type { TaskId } from '../../domain/task/task';
import type { RemovedRow } from '../row/removedRow';
import type { Added, End, OpId, TaskDraft, TaskFields } from '../taskQueue';
import type { LogLines } from './events';
import type { Past } from './replay/pastQueue';
import type { QueueState } from './state/queueState';
import type { Step } from './step';

/** Store of a queue's events and rows. The rules are the same for every store. */
export interface EventStore {
  /** Time of the queue. */
  now(): EpochMs;
  /** Runs `work` on the newest state, exclusively, and keeps what it records; all or nothing. */
  transact<T>(op: OpId, work: (step: Step) => T): Promise<T>;
  /** Runs `work` on the newest state. Discards what it records. */
  look<T>(work: (step: Step) => T): Promise<T>;
  /** Appends rows with the next free ids; all or none. */
  addAll(drafts: readonly TaskDraft[], op: OpId): Promise<readonly Added[]>;
  /** Removes rows; all or none. Returns them. */
  remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]>;
  /** Puts removed rows back; all or none. */
  restore(rows: readonly RemovedRow[], op: OpId): Promise<void>;
  /** Returns the texts of a task's row by column. */
  cells(id: TaskId): Promise<TaskFields>;
  /** Moves a row before another; null: after all others. */
  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void>;
  /** Changes these fields of a task. */
  edit(id: TaskId, fields: TaskFields, op: OpId): Promise<Added>;
  /** Returns the log lines for the end of an attempt. */
  composeLogs(end: End, history: readonly Attempt[]): LogLines;
  /** Returns why no task may start while another program or machine works on the same rows; null if there is none. */
  findOther(state: QueueState): Problem | null;
  watch(changed: () => void, signal: AbortSignal): void;
  /** Archives the history (`forgetHistory`) and returns where. Throws what `check` throws on the newest state. */
  archive(check: (state: QueueState) => void): Promise<string>;
  /** Returns the kept past from this time on. Its first part starts earlier, if events are that old. */
  past(from: EpochMs): Past;
  /** Updates what users read. Does nothing in a store that is always up to date. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
