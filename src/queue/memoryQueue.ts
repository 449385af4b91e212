import type { Attempt } from '../domain/attempt';
import { powerOf } from '../domain/power';
import type { Definition, SharedCells, TaskId } from '../domain/task';
import type { Clock } from '../platform/clock';
import { BASIC_COLUMNS } from './csv/columns';
import { readCsv } from './csv/csvFile';
import { appendRow } from './csv/newRow';
import type { RowContext } from './csv/row';
import type { EventStore } from './model/modelQueue';
import { checkRows, type Row } from './model/rows';
import { copyState, emptyState, taskKey, type QueueState } from './model/state';
import { nextId, Step } from './model/steps';
import type { Added, NewRow, OpId } from './taskQueue';

/** The columns that a row added by a command may fill. */
const HEADER = Buffer.from(`${BASIC_COLUMNS.join(',')}\n`);

const NEW_CELLS: SharedCells = { status: 'pending', scheduledAt: null, retryCount: 0 };

/**
 * A queue that lives in memory and is gone with its process: the model that the other stores are compared with,
 * without files, locks or logs.
 */
export class MemoryStore implements EventStore {
  private state = emptyState();
  private rows: readonly Row[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly context: RowContext,
  ) {}

  /** What a row's owner does: the row is now this, and `touched` are the shared values that they changed. */
  put(definition: Definition, touched: Partial<SharedCells> = {}, op?: OpId): void {
    const row: Row = { definition, power: powerOf(definition), line: definition.id };
    const others = this.rows.filter((other) => other.definition.id !== definition.id);
    const index = this.rows.findIndex((other) => other.definition.id === definition.id);
    this.rows = index < 0 ? [...this.rows, row] : [...others.slice(0, index), row, ...others.slice(index)];
    const isNew =
      !this.state.tasks.has(taskKey(definition.id, row.power)) && !this.state.powers.has(definition.id);
    const seen = { id: definition.id, power: row.power, ...(isNew ? NEW_CELLS : {}), ...touched };
    this.step(op).record({ kind: 'seen', rows: [seen] });
    this.tell();
  }

  /** The owner deletes a row. */
  remove(id: TaskId): void {
    this.rows = this.rows.filter((row) => row.definition.id !== id);
    this.step().record({ kind: 'gone', ids: [id] });
    this.tell();
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return settle(() => {
      const state = copyState(this.state);
      const step = this.step(op, state);
      const answer = work(step);
      this.state = state;
      if (step.events.length > 0) this.tell();
      return answer;
    });
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return settle(() => work(this.step(undefined, copyState(this.state))));
  }

  add(row: NewRow, op: OpId): Promise<Added> {
    return settle(() => {
      const done = this.state.ops.get(op);
      const id = done?.kind === 'seen' ? (done.rows[0]?.id ?? 0) : nextId(this.step());
      const added = appendRow(readCsv(HEADER), row, id, this.context).row;
      if (done === undefined) this.put(added.definition, added.shared, op);
      return { id, power: powerOf(added.definition) };
    });
  }

  composeLogs(_end: unknown, _history: readonly Attempt[]): Record<string, never> {
    return {};
  }

  watch(changed: () => void, signal: AbortSignal): void {
    this.listeners.add(changed);
    signal.addEventListener('abort', () => this.listeners.delete(changed));
  }

  archive(check: (state: QueueState) => void): Promise<string> {
    return settle(() => {
      check(this.state);
      const kept = this.rows.map(({ definition }) => [definition, this.sharedOf(definition.id)] as const);
      this.state = emptyState();
      for (const [definition, shared] of kept) this.put(definition, shared);
      return 'memory';
    });
  }

  writeBack(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.listeners.clear();
    return Promise.resolve();
  }

  private sharedOf(id: TaskId): SharedCells {
    const power = this.state.powers.get(id);
    const task = power === undefined ? undefined : this.state.tasks.get(taskKey(id, power));
    if (task === undefined) return NEW_CELLS;
    return { status: task.status, scheduledAt: task.ownerScheduledAt, retryCount: task.retryCount };
  }

  private step(op?: OpId, state = this.state): Step {
    return new Step(state, checkRows(this.rows, [], true), this.clock.now(), op);
  }

  private tell(): void {
    for (const changed of this.listeners) changed();
  }
}

/** A synchronous call as a promise, thrown errors as rejections. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
