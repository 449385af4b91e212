import { permissionFingerprint } from '../../domain/task/permissionFingerprint';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import { refuseBadDependencies } from '../model/dependencyCheck';
import { attemptsThatStay, findRetired } from '../model/keptAttempts';
import type { ProcessPlace } from '../model/liveness';
import type { EventStore } from '../model/eventStore';
import { refuseRemoval } from '../model/removal';
import type { Past } from '../model/replay/pastQueue';
import type { QueueState } from '../model/state/queueState';
import { nextId } from '../model/steps';
import type { Step } from '../model/step';
import { refuseMisshapen, refuseNewId } from '../row/fieldRules';
import type { RemovedRow } from '../row/removedRow';
import { resolveDrafts, writeInPlace } from '../row/resolveDrafts';
import type { RowContext } from '../row/rowContext';
import { refuseTooManyRows, type ImportHow, type RowTable } from '../rowTable';
import type { Added, OpId, TaskDraft, TaskFields } from '../taskQueue';
import { Batch } from './batch';
import {
  stepToLook,
  touchKnown,
  pickShared,
  putRow,
  type Draft,
  type NumberedSheet,
  type RowsChange,
} from './rowChanges';
import { describeLines, restoreLines } from './restoredLines';
import { exportTable } from './exportTable';
import { importTable } from './importTable';
import { nameOwner, ownersIn } from './leases';
import type { RedisLog } from './redisLog';
import { applyEntry, composeArchive } from './redisState';
import { findKey, findKeys, findLine, SheetReader, type Sheet, type SheetRows } from './sheet';
import { t } from '../../platform/text/translate';
import { Turns } from '../../platform/turns';

/** Most tries of a step while other processes are faster. */
const MOST_RACES = 200;

/** Options of a store in Redis. */
export interface RedisStoreOptions {
  readonly log: RedisLog;
  /** Returns the context in which rows are read. If the context changes, all rows are read again. */
  readonly rows: () => RowContext;
  /** Returns the time for which attempts are kept, in ms; absent: forever. */
  readonly keepHistoryMs?: () => number;
  /** Calls back after any change by any process, until the signal is aborted. */
  readonly watch: (changed: () => void, signal: AbortSignal) => void;
  /** Called with the processes that a step made owners. */
  readonly owned: (owners: readonly ProcessPlace[]) => void;
  /** Ends what the store has opened. */
  readonly close: () => Promise<void>;
  /** Name of the archive for messages. */
  readonly archiveName: string;
}

/** Queue in Redis: a log of events and rows that every process adds up for itself. */
export class RedisStore implements EventStore {
  private readonly log: RedisLog;
  private readonly reader: SheetReader;
  /** Serializes the calls of this process. */
  private readonly turns = new Turns();
  private readonly waiting: Call[] = [];
  /** Newest sheet that was read. */
  private lastSheet: Sheet | null = null;

  constructor(private readonly options: RedisStoreOptions) {
    this.log = options.log;
    this.reader = new SheetReader(options.rows);
  }

  now(): EpochMs {
    return this.log.now();
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return this.turns.take(async () => {
      await this.log.look();
      return work(stepToLook(this.log.state.queue, this.readSheet(), this.log.now()));
    });
  }

  /** Reads what has happened. */
  refresh(): Promise<void> {
    return this.turns.take(() => this.log.look());
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return this.keep(op, ({ step }) => work(step));
  }

  addAll(drafts: readonly TaskDraft[], op: OpId): Promise<readonly Added[]> {
    return this.keep(op, (draft) => {
      const { step } = draft;
      if (step.repeated?.kind === 'seen') return step.repeated.rows.map(({ id, power }) => ({ id, power }));
      refuseTooManyRows(draft.sheet.rows.length, drafts.length);
      const added = resolveDrafts(drafts, nextId(step)).map((row) => {
        const fields = { ...row.fields, id: String(row.id) };
        return writeInPlace(row, () => putRow(draft, null, fields)).definition;
      });
      refuseBadDependencies(added, step.rows, drafts);
      return added.map((definition) => ({ id: definition.id, power: permissionFingerprint(definition) }));
    });
  }

  edit(id: TaskId, fields: TaskFields, op: OpId): Promise<Added> {
    return this.keep(op, (draft) => {
      const { step } = draft;
      refuseNewId(id, fields);
      const line = findLine(draft.sheet, id);
      refuseMisshapen(id, line[1].length === draft.sheet.columns.length, t('Remove it and add it again.'));
      const row = putRow(draft, line, fields);
      const power = permissionFingerprint(row.definition);
      if (step.repeated !== undefined) {
        draft.changes.length = 0;
        return { id, power };
      }
      refuseBadDependencies([row.definition], step.rows);
      draft.touched.set(id, pickShared({ ...row, power }, fields, step.state));
      return { id, power };
    });
  }

  remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]> {
    // Rows of the last try, whose answer may have been lost.
    let removed: readonly RemovedRow[] = [];
    return this.keep(op, ({ step, sheet, changes }) => {
      if (step.repeated !== undefined) return removed;
      const change = { kind: 'drop', keys: findKeys(sheet, ids) } as const;
      refuseRemoval(ids, step.rows, step.state);
      changes.push(change);
      removed = describeLines(sheet, ids);
      return removed;
    });
  }

  restore(rows: readonly RemovedRow[], op: OpId): Promise<void> {
    return this.keep(op, (draft) => {
      if (draft.step.repeated !== undefined) return;
      refuseTooManyRows(draft.sheet.rows.length, rows.length);
      refuseBadDependencies(restoreLines(draft, rows), draft.step.rows);
    });
  }

  cells(id: TaskId): Promise<TaskFields> {
    return this.turns.take(async () => {
      await this.log.look();
      const { sheet } = this.log.state;
      const [, texts] = findLine(sheet, id);
      return Object.fromEntries(sheet.columns.map((column, index) => [column, texts[index] ?? '']));
    });
  }

  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void> {
    return this.keep(op, ({ step, sheet, changes }) => {
      if (step.repeated !== undefined) return;
      const target = before === null ? null : findKey(sheet, before);
      changes.push({ kind: 'move', key: findKey(sheet, id), before: target });
    });
  }

  /** Changes rows as `make` says of the newest sheet. Rows that are not valid are kept as they are. */
  changeRows(make: (sheet: NumberedSheet) => RowsChange, op: OpId): Promise<void> {
    return this.keep(op, (draft) => {
      if (draft.step.repeated !== undefined) return;
      const { changes, touched = [] } = make({ ...draft.sheet, freeKey: draft.freeKey });
      draft.changes.push(...changes);
      for (const [id, shared] of touched) draft.touched.set(id, shared);
    });
  }

  writeSettings(settings: string, op: OpId): Promise<void> {
    return this.keep(op, (draft) => {
      if (draft.step.repeated !== undefined) return;
      draft.rest = { settings };
      // The call is known by it.
      draft.step.record({ kind: 'seen', rows: [] });
    });
  }

  exportRows(): Promise<RowTable> {
    return this.turns.take(async () => {
      await this.log.look();
      const { sheet, queue } = this.log.state;
      return exportTable(sheet, queue, this.options.rows());
    });
  }

  importRows(table: RowTable, { renumber }: ImportHow, op: OpId): Promise<readonly TaskId[]> {
    return this.keep(op, (draft) => {
      const { step, sheet, freeKey } = draft;
      if (step.repeated !== undefined)
        return step.repeated.kind === 'seen' ? step.repeated.rows.map(({ id }) => id) : [];
      const { changes, ids } = importTable({ ...sheet, freeKey }, table, renumber ? nextId(step) : null);
      for (const change of changes) draft.changes.push(change);
      touchKnown(draft, ids);
      return ids;
    });
  }

  past(from: EpochMs): Past {
    return this.log.past(from);
  }

  composeLogs(): Record<string, never> {
    return {};
  }

  findOther(): null {
    return null;
  }

  watch(changed: () => void, signal: AbortSignal): void {
    this.options.watch(changed, signal);
  }

  async archive(check: (state: QueueState) => void): Promise<string> {
    await this.keep(undefined, (draft) => {
      const { state } = draft.step;
      check(state);
      const kept = new Set(attemptsThatStay(state));
      draft.archive = composeArchive(state.attempts.filter((attempt) => !kept.has(attempt)));
      draft.rest = { archived: true };
    });
    return this.options.archiveName;
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.turns.take(() => this.options.close());
  }

  /**
   * Runs `work` on the newest state until nobody else was faster, and keeps what it recorded; all or nothing. Calls that
   * wait are kept together.
   */
  private keep<T>(op: OpId | undefined, work: (draft: Draft) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const tryOn = (batch: Batch): (() => void) => {
        try {
          const answer = batch.run(op, work);
          return () => resolve(answer);
        } catch (error) {
          return () => reject(toError(error));
        }
      };
      this.waiting.push({ tryOn, reject });
      if (this.waiting.length === 1) this.keepSoon();
    });
  }

  private keepSoon(): void {
    void this.turns.take(async () => {
      const calls = this.waiting.splice(0);
      try {
        await this.keepTogether(calls);
      } catch (error) {
        for (const { reject } of calls) reject(toError(error));
      }
    });
  }

  private async keepTogether(calls: Call[]): Promise<void> {
    if (this.log.leases.isStale()) await this.log.look();
    for (let races = 0; races < MOST_RACES; races += 1) {
      const { state } = this.log;
      this.readSheet();
      const batch = new Batch(state, this.reader, this.log.now());
      batch.seeUnseen();
      const ends: (() => void)[] = [];
      for (const { tryOn } of calls) if (!batch.isFull) ends.push(tryOn(batch));
      if (!(await this.append(batch))) continue;
      this.putBack(calls.splice(ends.length));
      for (const end of ends) end();
      return;
    }
    throw new Problem('queue-busy', t('Other processes kept changing the queue. Try again.'));
  }

  /** Lets calls wait before all others. */
  private putBack(calls: readonly Call[]): void {
    if (calls.length === 0) return;
    const isAlone = this.waiting.length === 0;
    this.waiting.unshift(...calls);
    if (isAlone) this.keepSoon();
  }

  /** Returns the rows of the newest sheet. */
  private readSheet(): SheetRows {
    const { sheet } = this.log.state;
    const rows = this.reader.read(sheet, this.lastSheet);
    this.lastSheet = sheet;
    return rows;
  }

  /** Whether nothing has happened since what this process has read. */
  private async isNewest(): Promise<boolean> {
    const { revision } = this.log.state.queue;
    await this.log.look();
    return this.log.state.queue.revision === revision;
  }

  /** Returns false if others were faster. */
  private async append({ entry, archive, now, sheet }: Batch): Promise<boolean> {
    if (entry === null) return this.isNewest();
    const owners = ownersIn(entry.events ?? []);
    this.options.owned(owners);
    if (!(await this.log.append({ entry, at: now, owners: owners.map(nameOwner), archive }))) return false;
    applyEntry(this.log.state, entry, sheet);
    if (entry.settings !== undefined) await this.log.reportSettings();
    if (this.log.isCompactionDue()) await this.compact();
    return true;
  }

  /** Archives what is too old, and writes the base anew. */
  private async compact(): Promise<void> {
    const at = this.log.now();
    const keptMs = this.options.keepHistoryMs?.() ?? Infinity;
    const entry = { retired: at - keptMs };
    const retired = findRetired(this.log.state.queue, entry.retired);
    if (retired.length > 0) {
      const archive = composeArchive(retired);
      if (!(await this.log.retire({ entry, at, owners: [], archive }))) return;
      applyEntry(this.log.state, entry);
    }
    await this.log.compact(keptMs);
  }
}

/** A call that waits to be kept. */
interface Call {
  /** Tries it. Returns how to end it once the batch is kept. */
  readonly tryOn: (batch: Batch) => () => void;
  readonly reject: (error: Error) => void;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
