import type { EpochMs } from '../domain/time/epoch';
import type { RowTableQueue } from './rowTable';
import type { OpId, TaskFields, TaskQueue } from './taskQueue';

/** A queue that several machines share: it has its own settings, and its rows are not a file. */
export interface SharedQueue extends TaskQueue, RowTableQueue {
  /**
   * Removes a row that no id names: its id is not readable, or other rows have it too. `row` counts from 1, as in
   * problems. Returns its texts by column.
   * @throws Problem `conflict` if there is no such row; `already-running` if a task of its id runs
   */
  removeUnnamed(row: number, op: OpId): Promise<TaskFields>;
  /** Returns the queue's settings, as YAML; empty: the defaults. */
  readSettings(): Promise<string>;
  /** Replaces the queue's settings by this YAML. */
  writeSettings(settings: string, op: OpId): Promise<void>;
  /** Returns what the server says of itself. */
  readServer(): Promise<ServerFacts>;
}

/** Facts about a Redis server, as far as it says them; null: it does not. */
export interface ServerFacts {
  /** Its name and version, such as `Redis 7.0.15`. */
  readonly name: string;
  /** Its time; null: the user may not ask for it. */
  readonly now: EpochMs | null;
  /** Version of Redis whose commands it has. */
  readonly version: string | null;
  /** Rule by which it removes keys when its memory is full; `noeviction`: it removes none. */
  readonly evictionPolicy: string | null;
  /** When it writes changes to its disk. */
  readonly persistence: 'always' | 'everysec' | 'by-the-system' | 'snapshots' | 'never' | null;
  /** The reason for which it refuses changes now: it is a replica, its memory is full, or it cannot write to its disk. */
  readonly refuses: 'replica' | 'full' | 'disk' | null;
}
