import type { Attempt } from '../../src/domain/task/attempt';
import { permissionFingerprint } from '../../src/domain/task/permissionFingerprint';
import { Problem } from '../../src/domain/problem';
import type { Definition, TaskId } from '../../src/domain/task/task';
import type { Clock } from '../../src/platform/clock';
import type { CsvFile } from '../../src/queue/csv/csvFile';
import { appendRows, editRow, moveRow, readCellsOf, removeRows } from '../../src/queue/csv/newRow';
import { describeRows, restoreRows } from '../../src/queue/csv/restoreRows';
import type { RemovedRow } from '../../src/queue/row/removedRow';
import type { RowContext } from '../../src/queue/row/rowContext';
import { composeLogLines } from '../../src/queue/file/checkpoint/logLines';
import { refuseBadDependencies } from '../../src/queue/model/dependencyCheck';
import type { LogLines, SeenRow } from '../../src/queue/model/events';
import { refuseRemoval } from '../../src/queue/model/removal';
import { forgetHistory } from '../../src/queue/model/keptAttempts';
import type { EventStore } from '../../src/queue/model/eventStore';
import { copyState, emptyState, taskKey, type QueueState } from '../../src/queue/model/state/queueState';
import { nextId } from '../../src/queue/model/steps';
import { Step } from '../../src/queue/model/step';
import type { Added, End, OpId, TaskDraft, TaskFields } from '../../src/queue/taskQueue';
import { readPlainly, standsIn, type PlainRow, type PlainRows } from './plainRows';

/**
 * The queue file's rules in their plainest form: each call reads the text again and copies the state. There is no
 * journal, no lock, no checkpoint and no cache. Slow, and easy to believe.
 */
export class PlainStore implements EventStore {
  private state: QueueState = emptyState();
  /** Shared cells of each row when it could last be understood. */
  private readonly known = new Map<TaskId, PlainRow['texts']>();

  /** Added rows that cannot be understood among the others, by call: repeated, it adds no second one. */
  private readonly unseen = new Map<OpId, TaskId>();

  /** Expected contents of the logs. */
  readonly logs = new Map<string, string>();

  constructor(
    private readonly clock: Clock,
    private readonly context: RowContext,
    private bytes: Buffer,
  ) {
    this.takeUp(bytes);
  }

  /** The owner saved this; `base` is what they started from. */
  save(bytes: Buffer, base: Buffer): void {
    this.learn(base);
    this.takeUp(bytes);
  }

  /** The file as the owner and `add` left it. */
  get text(): string {
    return this.bytes.toString();
  }

  now(): number {
    return this.clock.now();
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return settle(() => {
      const state = copyState(this.state);
      const step = this.step(this.read(this.bytes), state, op);
      const answer = work(step);
      this.state = state;
      for (const event of step.events) this.keepLogs('logs' in event ? event.logs : undefined);
      return answer;
    });
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return settle(() => work(this.step(this.read(this.bytes), copyState(this.state))));
  }

  addAll(news: readonly TaskDraft[], op: OpId): Promise<readonly Added[]> {
    return settle(() => {
      const done = this.state.ops.get(op);
      const rows = this.read(this.bytes);
      const file = wholeFile(rows);
      const before = this.unseen.get(op);
      const last =
        done?.kind === 'seen'
          ? Math.max(...done.rows.map((seen) => seen.id))
          : (before ?? this.freeId(rows) + news.length - 1);
      const added = appendRows(file, news, last - news.length + 1, this.context);
      const { bytes } = added;
      const definitions = added.rows.map(({ definition }) => definition);
      if (done === undefined && !(before !== undefined && standsIn(rows, before))) {
        this.write(definitions, bytes, rows, op);
        if (!this.state.ops.has(op)) this.unseen.set(op, last);
      }
      return definitions.map((definition) => ({
        id: definition.id,
        power: permissionFingerprint(definition),
      }));
    });
  }

  remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]> {
    return settle(() => {
      if (this.state.ops.has(op)) return [];
      const rows = this.read(this.bytes);
      const bytes = removeRows(wholeFile(rows), ids);
      refuseRemoval(ids, rows.set, this.state);
      const removed = describeRows(wholeFile(rows), ids);
      this.write([], bytes, rows, op);
      if (!this.state.ops.has(op))
        this.step(this.read(bytes), this.state, op).record({ kind: 'seen', rows: [] });
      return removed;
    });
  }

  restore(removed: readonly RemovedRow[], op: OpId): Promise<void> {
    return settle(() => {
      if (this.state.ops.has(op)) return;
      const rows = this.read(this.bytes);
      const { bytes, definitions } = restoreRows(wholeFile(rows), removed, this.context);
      refuseBadDependencies(definitions, rows.set);
      this.write([], bytes, rows, op);
      if (!this.state.ops.has(op))
        this.step(this.read(bytes), this.state, op).record({ kind: 'seen', rows: [] });
    });
  }

  cells(id: TaskId): Promise<TaskFields> {
    return settle(() => readCellsOf(wholeFile(this.read(this.bytes)), id));
  }

  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void> {
    return settle(() => {
      if (this.state.ops.has(op)) return;
      const rows = this.read(this.bytes);
      const bytes = moveRow(wholeFile(rows), id, before);
      this.write([], bytes, rows, op);
      if (!this.state.ops.has(op))
        this.step(this.read(bytes), this.state, op).record({ kind: 'seen', rows: [] });
    });
  }

  edit(id: TaskId, cells: TaskFields, op: OpId): Promise<Added> {
    return settle(() => {
      const rows = this.read(this.bytes);
      const { bytes, row } = editRow(wholeFile(rows), id, cells, this.context);
      const answer = { id, power: permissionFingerprint(row.definition) };
      if (this.state.ops.has(op)) return answer;
      refuseBadDependencies([row.definition], rows.set);
      const isNew = !bytes.equals(this.bytes);
      if (isNew) this.write([row.definition], bytes, rows, op);
      // Records that this call changed the row, even if it cannot be understood among the others.
      if (isNew && !this.state.ops.has(op))
        this.step(this.read(bytes), this.state, op).record({ kind: 'seen', rows: [answer] });
      return answer;
    });
  }

  composeLogs(end: End, history: readonly Attempt[]): LogLines {
    return composeLogLines(end, history, this.context.timeZone);
  }

  findOther(): null {
    return null;
  }

  watch(): void {
    // Nobody who plays sequences waits for a change.
  }

  past(): never {
    throw new RangeError('This store keeps no past.');
  }

  archive(check: (state: QueueState) => void): Promise<string> {
    return settle(() => {
      check(this.state);
      forgetHistory(this.state);
      this.logs.clear();
      return 'nowhere';
    });
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private freeId(rows: PlainRows): TaskId {
    const unseen = [...this.unseen.values()].map((id) => id + 1);
    return Math.max(nextId(this.step(rows, this.state)), ...unseen);
  }

  private write(definitions: readonly Definition[], bytes: Buffer, rows: PlainRows, op: OpId): void {
    refuseBadDependencies(definitions, rows.set);
    this.learn(this.bytes);
    this.takeUp(bytes, op);
  }

  private keepLogs(lines: LogLines = {}): void {
    for (const [name, text] of Object.entries(lines)) this.logs.set(name, (this.logs.get(name) ?? '') + text);
  }

  /** Notes the shared cells of a base, unless the file is not whole. */
  private learn(base: Buffer): void {
    const { rows, set } = this.read(base);
    if (!set.whole) return;
    for (const { definition, texts } of rows) this.known.set(definition.id, texts);
  }

  private takeUp(bytes: Buffer, op?: OpId): void {
    this.bytes = bytes;
    const rows = this.read(bytes);
    if (!rows.set.whole) return;
    const step = this.step(rows, this.state, op);
    const seen = rows.rows.flatMap((row) => this.see(row));
    if (seen.length > 0) step.record({ kind: 'seen', rows: seen });
    const gone = [...this.state.powers.keys()].filter((id) => !standsIn(rows, id));
    if (rows.complete && gone.length > 0) step.record({ kind: 'gone', ids: gone });
    this.learn(bytes);
  }

  private see({ definition: { id }, power, shared, texts }: PlainRow): SeenRow[] {
    const was = this.state.powers.get(id);
    if (was === undefined && !this.state.tasks.has(taskKey(id, power))) return [{ id, power, ...shared }];
    const before = this.known.get(id) ?? [];
    const touched = texts.map((text, column) => text !== undefined && text !== before[column]);
    if (was === power && !touched.includes(true)) return [];
    const { status, scheduledAt, retryCount } = shared;
    return [
      {
        id,
        power,
        ...(touched[0] === true ? { status } : {}),
        ...(touched[1] === true ? { scheduledAt } : {}),
        ...(touched[2] === true ? { retryCount } : {}),
      },
    ];
  }

  private read(bytes: Buffer): PlainRows {
    return readPlainly(bytes, this.context);
  }

  private step({ set }: PlainRows, state: QueueState, op?: OpId): Step {
    return new Step(state, set, this.clock.now(), op);
  }
}

function wholeFile({ file }: PlainRows): CsvFile {
  if (file.problem === null) return file;
  throw new Problem('queue-incomplete', file.problem.message);
}

function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
