import type { Clock } from '../../platform/clock';
import type { RowContext } from '../row/rowContext';
import type { Machine } from '../taskQueue';
import type { KnownHistory } from './journal/knownHistory';

/** Where and how a queue file is kept. */
export interface FileStoreOptions {
  /** The CSV, absolute. */
  readonly file: string;
  /** What rows mean; with another answer they are all understood again. */
  readonly rows: () => RowContext;
  readonly machine: Machine;
  /** Tells this user's own history from one that was made elsewhere. */
  readonly known: KnownHistory;
  /** The queue's time. */
  readonly clock: Clock;
  /** How long attempts are kept; absent: for ever. */
  readonly keepHistoryMs?: number;
  /** Tells the user of something that was put off and will be tried again. */
  readonly warn: (message: string) => void;
}
