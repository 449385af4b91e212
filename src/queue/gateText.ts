import type { EpochMs } from '../domain/time/epoch';

/** A small text that all machines of a queue share. */
export interface GateText {
  /** Where it is, for messages. */
  readonly name: string;
  /** Returns the text; null if there is none. @throws Problem `redis-away`, `redis-refused` */
  read(): Promise<string | null>;
  /**
   * Replaces the text if it is `expected`, which `read` returned. Returns whether it did.
   * @throws Problem `redis-away`: it may have been replaced; `redis-refused`
   */
  swap(expected: string | null, next: string): Promise<boolean>;
  /** Time that all machines share, as of the last answer plus what has passed since. */
  now(): EpochMs;
}
