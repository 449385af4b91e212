import type { World } from '../../domain/reasons/world';
import type { EpochMs } from '../../domain/time/epoch';
import type { OpId } from '../taskQueue';
import type { QueueEvent } from './events';
import { apply } from './state/apply';
import { type QueueState } from './state/queueState';
import type { RowSet } from './rows';
import { indexOf, type IndexedWorld } from './taskIndex';

type Plain<E> = E extends QueueEvent ? Omit<E, 'at' | 'op'> : never;

/** One call on a queue. What it records is applied to the state at once; the store keeps it. */
export class Step {
  readonly events: QueueEvent[] = [];

  constructor(
    readonly state: QueueState,
    readonly rows: RowSet,
    readonly now: EpochMs,
    private readonly op?: OpId,
    /** Whether its events are kept, for a later replay; false: the queue is a copy. */
    readonly isKept = true,
  ) {}

  /**
   * Returns what the domain's rules look at, including everything recorded so far. Valid until the next call for this
   * queue.
   */
  world(surroundings: Omit<World, 'queue' | 'byId' | 'now'>): IndexedWorld {
    return indexOf(this.state).world(this.state, this.rows, surroundings, this.now);
  }

  record(event: Plain<QueueEvent>): void {
    // The compiler makes one type of a spread union. `Plain` leaves out just the two fields that are added.
    const whole = { ...event, at: this.now, ...(this.op === undefined ? {} : { op: this.op }) } as QueueEvent;
    apply(this.state, whole);
    this.events.push(whole);
  }

  /** Event that an earlier call with the same name recorded; undefined if there was none. */
  get repeated(): QueueEvent | undefined {
    return this.op === undefined ? undefined : this.state.ops.get(this.op);
  }
}
