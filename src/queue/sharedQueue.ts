import type { OpId, TaskQueue } from './taskQueue';

/** A queue that several machines share: it has its own settings. */
export interface SharedQueue extends TaskQueue {
  /** Returns the queue's settings, as YAML; empty: the defaults. */
  readSettings(): Promise<string>;
  /** Replaces the queue's settings by this YAML. */
  writeSettings(settings: string, op: OpId): Promise<void>;
}
