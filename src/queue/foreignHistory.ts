import type { EpochMs } from '../domain/time/epoch';

/** What a history made elsewhere holds; nothing of its texts. */
export interface ForeignSummary {
  readonly attempts: number;
  readonly firstStartedAt: EpochMs | null;
  readonly lastEndedAt: EpochMs | null;
  /** Tasks whose session Claude would resume. */
  readonly sessions: number;
  readonly completed: number;
  readonly holds: number;
  /** Tasks that run, as far as it says. */
  readonly running: readonly number[];
}

/** A history that was made elsewhere, for the user who decides about it. */
export interface ForeignHistory {
  /** What it holds. @throws Problem `state-newer`, `state-damaged` */
  summarize(): Promise<ForeignSummary>;
  /** Makes it this user's own. @throws Problem `already-running` while a worker of this machine works on it */
  adopt(): Promise<void>;
  /** Moves all of it into the archive and returns the folder; nothing of it is read. */
  archive(): Promise<string>;
}
