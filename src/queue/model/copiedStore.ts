import type { Definition } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import type { Clock } from '../../platform/clock';
import type { Added, OpId } from '../taskQueue';
import type { EventStore } from './eventStore';
import type { RowSet } from './rows';
import { copyState, type QueueState } from './state/queueState';
import { Step } from './step';

/** Returns a copy of the queue of a step, at the time of `clock`, with the rows that `change` makes. */
export function copyStore(
  { state, rows }: Pick<Step, 'state' | 'rows'>,
  clock: Pick<Clock, 'now'>,
  change: (definition: Definition) => Definition,
): EventStore {
  const changed = rows.rows.map((row) => ({ ...row, definition: change(row.definition) }));
  return new CopiedStore(copyState(state), { ...rows, rows: changed }, clock);
}

/**
 * A copy of a queue that lives in memory: its tasks can be claimed and finished, its rows never change. A call that
 * throws leaves what it recorded before: calls check first.
 */
class CopiedStore implements EventStore {
  private readonly listeners = new Set<() => void>();

  /** `state` belongs to the copy from now on. */
  constructor(
    private readonly state: QueueState,
    private readonly rows: RowSet,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  now(): EpochMs {
    return this.clock.now();
  }

  async transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    const step = this.step(op);
    const result = await settle(() => work(step));
    if (step.events.length > 0) await this.sync();
    return result;
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return settle(() => work(this.step()));
  }

  watch(changed: () => void, signal: AbortSignal): void {
    this.listeners.add(changed);
    signal.addEventListener('abort', () => this.listeners.delete(changed), { once: true });
  }

  composeLogs(): Record<string, never> {
    return {};
  }

  /** The copy belongs to no machine. */
  findOther(): null {
    return null;
  }

  readonly addAll = (): Promise<readonly Added[]> => refuse();
  readonly remove = (): Promise<never> => refuse();
  readonly restore = (): Promise<never> => refuse();
  readonly cells = (): Promise<never> => refuse();
  readonly move = (): Promise<never> => refuse();
  readonly edit = (): Promise<never> => refuse();
  readonly archive = (): Promise<never> => refuse();

  /** A copy has no past. */
  past(): never {
    throw new RangeError('copy');
  }

  /** Calls the watchers. */
  sync(): Promise<void> {
    for (const changed of this.listeners) changed();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.listeners.clear();
    return Promise.resolve();
  }

  private step(op?: OpId): Step {
    return new Step(this.state, this.rows, this.clock.now(), op, false);
  }
}

/** Runs a synchronous call; its error becomes a rejection. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

function refuse(): Promise<never> {
  return settle(() => {
    throw new RangeError('The rows of a copy never change.');
  });
}
