import type { EpochMs } from '../domain/time/epoch';

/** Summary of a history made elsewhere, without any of its texts. */
export interface ForeignSummary {
  readonly attempts: number;
  readonly firstStartedAt: EpochMs | null;
  readonly lastEndedAt: EpochMs | null;
  /** Number of tasks whose session Claude would resume. */
  readonly sessions: number;
  readonly completed: number;
  readonly holds: number;
  /** Ids of tasks that run, according to that history. */
  readonly running: readonly number[];
}

/** History that was made elsewhere, for the user to decide about. */
export interface ForeignHistory {
  /** Returns a summary. @throws Problem `state-newer`, `state-damaged` */
  summarize(): Promise<ForeignSummary>;
  /**
   * Makes the history this user's own. @throws Problem `already-running` while a worker of this machine runs on it
   */
  adopt(): Promise<void>;
  /** Moves the whole history into the archive, unread, and returns the folder. */
  archive(): Promise<string>;
}
