import type { Attempt } from '../../../src/domain/task/attempt';
import { Problem } from '../../../src/domain/problem';
import { permissionFingerprint } from '../../../src/domain/task/permissionFingerprint';
import type { Definition, SharedCells, TaskId } from '../../../src/domain/task/task';
import type { Clock } from '../../../src/platform/clock';
import { appendRows } from '../../../src/queue/csv/newRow';
import { editDefinition, EMPTY_FILE } from './editDefinition';
import type { Row as TextRow } from '../../../src/queue/row/readTexts';
import type { RowContext } from '../../../src/queue/row/rowContext';
import { findNeighbors, RestoredOrder, type RemovedRow } from '../../../src/queue/row/removedRow';
import { cellsOf } from '../../conformance/cells';
import { refuseBadDependencies } from '../../../src/queue/model/dependencyCheck';
import type { QueueEvent } from '../../../src/queue/model/events';
import { refuseRemoval } from '../../../src/queue/model/removal';
import { forgetHistory } from '../../../src/queue/model/keptAttempts';
import { findOtherMachine } from '../../../src/queue/model/liveness';
import type { EventStore } from '../../../src/queue/model/eventStore';
import type { Past } from '../../../src/queue/model/replay/pastQueue';
import { checkRows, type Row, type RowSet } from '../../../src/queue/model/rows';
import { apply } from '../../../src/queue/model/state/apply';
import {
  copyState,
  currentTask,
  emptyState,
  taskKey,
  type QueueState,
} from '../../../src/queue/model/state/queueState';
import { changedShared, showShared } from '../../../src/queue/row/sharedCells';
import { nextId } from '../../../src/queue/model/steps';
import { Step } from '../../../src/queue/model/step';
import type { Added, Machine, OpId, TaskDraft, TaskFields } from '../../../src/queue/taskQueue';
import { WHOLE } from './wholeRows';

const NEW_CELLS: SharedCells = { status: 'pending', scheduledAt: null, retryCount: 0 };

/**
 * A queue that lives in memory and is gone with its process: the model that the stores are compared with,
 * without files, locks or logs.
 */
export class MemoryStore implements EventStore {
  private state = emptyState();
  /** State before the events. */
  private initial = emptyState();
  /** Everything else that the state adds up to. */
  private events: QueueEvent[] = [];
  private rows: readonly Row[] = [];
  private checked: RowSet | null = null;
  /** Shared cells that owners changed and that no step has seen since. */
  private readonly untold = new Map<TaskId, Partial<SharedCells>>();
  /** Rows that were removed, by the line that names them. */
  private readonly removed = new Map<string, Row>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly context: RowContext,
    private readonly machine: Pick<Machine, 'id'>,
  ) {}

  /** Sets a row as its owner would; `touched` has the shared values that they changed. */
  put(definition: Definition, touched: Partial<SharedCells> = {}, op?: OpId): void {
    const row = rowOf(definition);
    const index = this.rows.findIndex((other) => other.definition.id === definition.id);
    this.take(index < 0 ? [...this.rows, row] : this.rows.with(index, row));
    this.untold.set(definition.id, { ...this.untold.get(definition.id), ...touched });
    this.keep(op, (step) => {
      this.describeRows(step);
      // Also of a row that is not understood among the others: that this call has changed it.
      if (op !== undefined && step.repeated === undefined)
        step.record({ kind: 'seen', rows: [{ id: definition.id, power: row.power }] });
    });
    this.report();
  }

  /** The owner deletes a row. */
  delete(id: TaskId): void {
    this.take(this.rows.filter((row) => row.definition.id !== id));
    this.untold.delete(id);
    this.keep(undefined, (step) => {
      step.record({ kind: 'gone', ids: [id] });
      this.describeRows(step);
    });
    this.report();
  }

  /** A row is seen once it can be understood, among the others too; until then what its owner changed is kept. */
  private describeRows(step: Step): void {
    const rows = step.rows.rows.flatMap(({ definition: { id }, power }) => {
      const touched = this.untold.get(id);
      if (touched === undefined) return [];
      this.untold.delete(id);
      const isNew = !step.state.tasks.has(taskKey(id, power)) && !step.state.powers.has(id);
      return [{ id, power, ...(isNew ? NEW_CELLS : {}), ...touched }];
    });
    if (rows.length > 0) step.record({ kind: 'seen', rows });
  }

  now(): number {
    return this.clock.now();
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return settle(() => {
      const { revision } = this.state;
      const answer = this.keep(op, work);
      if (this.state.revision > revision) this.report();
      return answer;
    });
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return settle(() => work(this.step()));
  }

  addAll(rows: readonly TaskDraft[], op: OpId): Promise<readonly Added[]> {
    return settle(() => {
      const done = this.state.ops.get(op);
      const first = done?.kind === 'seen' ? (done.rows[0]?.id ?? 0) : nextId(this.step());
      const added = appendRows(EMPTY_FILE, rows, first, this.context).rows;
      if (done === undefined) {
        refuseBadDependencies(
          added.map(({ definition }) => definition),
          this.step().rows,
          rows,
        );
        this.append(added, op);
      }
      return added.map(({ definition }) => ({ id: definition.id, power: permissionFingerprint(definition) }));
    });
  }

  private append(added: readonly TextRow[], op: OpId): void {
    const rows = added.map(({ definition, shared }) => ({ row: rowOf(definition), shared }));
    this.take([...this.rows, ...rows.map(({ row }) => row)]);
    this.keep(op, (step) => {
      step.record({
        kind: 'seen',
        rows: rows.map(({ row: { definition, power }, shared }) => ({ id: definition.id, power, ...shared })),
      });
    });
    this.report();
  }

  remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]> {
    return settle(() => {
      if (this.state.ops.has(op)) return [];
      for (const id of ids) this.find(id);
      refuseRemoval(ids, this.step().rows, this.state);
      const removed = this.describeRemoved(ids, op);
      this.take(this.rows.filter(({ definition }) => !ids.includes(definition.id)));
      this.keep(op, (step) => {
        step.record({ kind: 'gone', ids });
      });
      this.report();
      return removed;
    });
  }

  private describeRemoved(ids: readonly TaskId[], op: OpId): RemovedRow[] {
    const all = this.rows.map(({ definition }) => definition.id);
    const neighbors = findNeighbors(all, new Set(ids));
    return this.rows.flatMap((row, index) => {
      const { id } = row.definition;
      if (!ids.includes(id)) return [];
      const line = `${op} ${String(id)}`;
      this.removed.set(line, row);
      const { above = null, below = null } = neighbors[index] ?? {};
      return [{ id, head: '', line, above, below }];
    });
  }

  restore(rows: readonly RemovedRow[], op: OpId): Promise<void> {
    return settle(() => {
      if (this.state.ops.has(op)) return;
      const all = [...this.rows];
      const order = new RestoredOrder(
        all.map(({ definition }) => definition.id),
        '',
      );
      const restored: Row[] = [];
      for (const one of rows) {
        const at = order.put(one);
        const row = this.removed.get(one.line);
        if (row === undefined) throw new RangeError(`No row was removed as ${one.line}`);
        all.splice(at, 0, row);
        restored.push(row);
      }
      refuseBadDependencies(
        restored.map(({ definition }) => definition),
        this.step().rows,
      );
      this.take(all);
      this.keep(op, (step) => {
        step.record({
          kind: 'seen',
          rows: restored.map(({ definition: { id }, power }) => ({ id, power })),
        });
      });
      this.report();
    });
  }

  cells(id: TaskId): Promise<TaskFields> {
    return settle(() => cellsOf(this.find(id).definition));
  }

  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void> {
    return settle(() => {
      if (this.state.ops.has(op)) return;
      const row = this.find(id);
      const target = before === null ? null : this.find(before);
      if (row !== target) {
        const others = this.rows.filter((other) => other !== row);
        this.take(others.toSpliced(target === null ? others.length : others.indexOf(target), 0, row));
      }
      this.keep(op, (step) => {
        step.record({ kind: 'seen', rows: [] });
      });
      this.report();
    });
  }

  edit(id: TaskId, cells: TaskFields, op: OpId): Promise<Added> {
    return settle(() => {
      const { definition, touched } = editDefinition(this.find(id).definition, cells, this.context);
      const power = permissionFingerprint(definition);
      if (!this.state.ops.has(op)) {
        refuseBadDependencies([definition], this.step().rows);
        const task = currentTask(this.state, id);
        const shown = task?.power === power ? showShared(task, this.state.claims.has(id)) : null;
        this.put(definition, changedShared(touched, shown), op);
      }
      return { id, power };
    });
  }

  composeLogs(_end: unknown, _history: readonly Attempt[]): Record<string, never> {
    return {};
  }

  findOther(state: QueueState): Problem | null {
    return findOtherMachine(state, this.machine);
  }

  watch(changed: () => void, signal: AbortSignal): void {
    this.listeners.add(changed);
    signal.addEventListener('abort', () => this.listeners.delete(changed));
  }

  archive(check: (state: QueueState) => void): Promise<string> {
    return settle(() => {
      check(this.state);
      forgetHistory(this.state);
      this.initial = copyState(this.state);
      this.events = [];
      this.report();
      return 'memory';
    });
  }

  async *past(): Past {
    yield await Promise.resolve({ state: copyState(this.initial), events: [...this.events] });
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.listeners.clear();
    return Promise.resolve();
  }

  private find(id: TaskId): Row {
    const row = this.rows.find(({ definition }) => definition.id === id);
    if (row === undefined) throw new Problem('no-such-task', `There is no task ${String(id)}.`);
    return row;
  }

  private take(rows: readonly Row[]): void {
    this.rows = rows;
    this.checked = null;
  }

  private step(op?: OpId): Step {
    this.checked ??= checkRows(this.rows, [], WHOLE);
    return new Step(this.state, this.checked, this.clock.now(), op);
  }

  /** Does `work`, all of it or nothing: what it recorded before it threw is taken back. */
  private keep<T>(op: OpId | undefined, work: (step: Step) => T): T {
    const step = this.step(op);
    try {
      const answer = work(step);
      for (const event of step.events) this.events.push(event);
      return answer;
    } catch (error) {
      if (step.events.length > 0) this.recall();
      throw error;
    }
  }

  /** The state once more, from what was kept. */
  private recall(): void {
    this.state = copyState(this.initial);
    for (const event of this.events) apply(this.state, event);
  }

  private report(): void {
    for (const changed of this.listeners) changed();
  }
}

/** A synchronous call as a promise, thrown errors as rejections. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

function rowOf(definition: Definition): Row {
  const where = { kind: 'file', line: definition.id, column: 1 } as const;
  return { definition, power: permissionFingerprint(definition), where };
}
