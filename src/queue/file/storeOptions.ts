import type { Clock } from '../../platform/clock';
import type { RowContext } from '../row/rowContext';
import type { Machine } from '../taskQueue';
import type { KnownHistory } from './journal/knownHistory';

/** Options of a store in a queue file. */
export interface FileStoreOptions {
  /** The CSV, absolute. */
  readonly file: string;
  /** Returns the context in which rows are parsed. If the context changes, all rows are parsed again. */
  readonly rows: () => RowContext;
  readonly machine: Machine;
  /** Distinguishes this user's own history from one made elsewhere. */
  readonly known: KnownHistory;
  /** Clock of the queue. */
  readonly clock: Clock;
  /** Time for which attempts are kept, in ms; absent: forever. */
  readonly keepHistoryMs?: number;
  /** Warns the user of something that was postponed and will be retried. */
  readonly warn: (message: string) => void;
}
