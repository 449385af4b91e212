import { existsSync } from 'node:fs';
import type { Attempt } from '../../domain/task/attempt';
import type { Problem } from '../../domain/problem';
import { permissionFingerprint } from '../../domain/task/permissionFingerprint';
import type { TaskId } from '../../domain/task/task';
import type { EpochMs } from '../../domain/time/epoch';
import { systemClock } from '../../platform/clock';
import { withLock } from '../../platform/lock/lock';
import { resolveFile } from '../../platform/files/paths';
import { Turns } from '../../platform/turns';
import type { LogLines } from '../model/events';
import { refuseBadDependencies } from '../model/dependencyCheck';
import { findOtherMachine } from '../model/liveness';
import type { EventStore } from '../model/eventStore';
import { highestOf, NO_ROWS } from '../model/rows';
import type { Past } from '../model/replay/pastQueue';
import type { QueueState } from '../model/state/queueState';
import { nextId } from '../model/steps';
import { Step } from '../model/step';
import type { Added, End, OpId, TaskDraft, TaskFields } from '../taskQueue';
import { QueuePaths } from '../queuePaths';
import { archiveHistory } from './journal/archiveHistory';
import { FileHistory } from './journal/fileHistory';
import { watchQueue } from './fileWatch';
import { Checkpoint, type CheckpointEnd } from './checkpoint/checkpoint';
import { CheckpointSchedule } from './checkpoint/checkpointSchedule';
import { Reconciler, type Reading, type FileSnapshot } from './reading/reconciler';
import { appendRows, editRow, moveRow, readCellsOf } from '../csv/newRow';
import type { RemovedRow } from '../row/removedRow';
import { refuseTooManyRows } from '../rowTable';
import { composeLogLines } from './checkpoint/logLines';
import { refuseBeside } from './journal/olderWorker';
import { isInFile } from './reading/rowReader';
import { findRunningScripts, refuseScripts } from '../scripts/scriptsLock';
import { composeRemoval, composeRestore, refuseIncomplete, type Rewritten } from './rowEdits';
import { makeStateFolder, refuseUnsafe } from './stateFolder';
import type { FileStoreOptions } from './storeOptions';
import { replaceIfLatest } from './checkpoint/replaceIfLatest';
import { changedMeanwhile, whileWritable } from './unwritable';

/** Most tries of a step while other processes are faster. */
const MOST_RACES = 50;

/** Most times that the lock is taken if file or journal were replaced while waiting for it. */
const MOST_GIVEN_BACK = 3;

/** Queue in a CSV file. The file belongs to its owner; the journal beside it is the program's record. */
export class FileStore implements EventStore {
  private readonly history: FileHistory;
  private readonly reconciler: Reconciler;
  private readonly checkpoint: Checkpoint;
  private readonly paths: QueuePaths;
  /** Whether the state folder was made. It is made again only if it disappears. */
  private hasMadeFolder = false;
  /** Serializes the calls of this process. */
  private readonly turns = new Turns();
  private readonly schedule: CheckpointSchedule;
  readonly now = (): EpochMs => this.options.clock.now();

  private constructor(private readonly options: FileStoreOptions) {
    const { file, clock, rows, machine, known } = options;
    this.paths = new QueuePaths(file);
    this.history = new FileHistory(this.paths.state, { known, machine });
    this.reconciler = new Reconciler(this.paths, this.history, clock, rows);
    this.checkpoint = new Checkpoint(this.paths, this.history, this.reconciler, options);
    this.schedule = new CheckpointSchedule({
      carryOut: (isLast) => this.checkpointSerialized(isLast),
      nextCheckpointAt: () => this.reconciler.nextCheckpointAt(),
      isBlocked: () => this.checkpoint.isBlocked(),
      failed: (error) => {
        options.warn(`${file} could not be updated and will be later: ${String(error)}`);
      },
    });
  }

  /**
   * Opens the queue in a CSV file. @throws Problem `queue-missing`, `queue-unreadable`, `state-newer`,
   * `state-damaged`, `state-foreign`, `state-linked`
   */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    const store = new FileStore({ ...options, file: await resolveFile(options.file) });
    await refuseUnsafe(store.paths.state);
    await store.reconciler.observe();
    return store;
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return this.turns.take(async () => {
      const fileSnapshot = await this.reconciler.observe();
      return work(this.reconciler.startStepOn(fileSnapshot, (state) => this.stepOn(state, fileSnapshot)));
    });
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return this.untilKept(async (fileSnapshot) => {
      const older = this.history.findOlderWorker();
      const step = this.stepOn(this.history.state.queue, fileSnapshot, op);
      const answer = this.doOrForget(step, work);
      if (older !== null) this.doOrForget(step, (done) => refuseBeside(older, done));
      if (step.events.length > 0 && !(await this.history.keep({ events: step.events }))) return null;
      if (this.checkpoint.isDue(fileSnapshot)) this.schedule.soon();
      return { answer };
    }, 'later');
  }

  /** Reserves the last id for this call, then appends the rows. Repeated after a crash, it adds them once. */
  addAll(drafts: readonly TaskDraft[], op: OpId): Promise<readonly Added[]> {
    return this.untilKept(async (fileSnapshot) => {
      refuseScripts(this.paths.state, this.options.warn);
      const { state } = this.history;
      const done = state.queue.ops.get(op);
      refuseIncomplete(this.options.file, fileSnapshot);
      const reserved =
        done?.kind === 'seen' ? highestOf(done.rows.map((row) => row.id)) : state.reserved.get(op);
      // Keep the parentheses: above the largest safe integer a sum would be rounded.
      const id = reserved ?? this.freeId(fileSnapshot) + (drafts.length - 1);
      const first = id - (drafts.length - 1);
      const { bytes, rows } = appendRows(fileSnapshot.file, drafts, first, this.options.rows());
      const definitions = rows.map(({ definition }) => definition);
      const answer = definitions.map((definition) => ({
        id: definition.id,
        power: permissionFingerprint(definition),
      }));
      if (done === undefined) refuseBadDependencies(definitions, fileSnapshot.rows.set, drafts);
      if (done !== undefined || (reserved !== undefined && isInFile(fileSnapshot.rows, reserved)))
        return { answer };
      refuseTooManyRows(fileSnapshot.file.records.length, drafts.length);
      if (reserved === undefined && !(await this.history.keep({ reserved: { op, id } }))) return null;
      if (!(await replaceIfLatest(this.history, this.paths.file, bytes, fileSnapshot))) return null;
      await this.adoptReplaced(bytes, () => this.reconciler.takeUp(op));
      return { answer };
    });
  }

  edit(id: TaskId, fields: TaskFields, op: OpId): Promise<Added> {
    return this.untilKept(async (fileSnapshot) => {
      refuseScripts(this.paths.state, this.options.warn);
      refuseIncomplete(this.options.file, fileSnapshot);
      const { bytes, row } = editRow(fileSnapshot.file, id, fields, this.options.rows());
      const answer = { id, power: permissionFingerprint(row.definition) };
      if (this.history.state.queue.ops.has(op)) return { answer };
      refuseBadDependencies([row.definition], fileSnapshot.rows.set);
      if (bytes.equals(fileSnapshot.file.bytes)) return { answer };
      if (!(await replaceIfLatest(this.history, this.paths.file, bytes, fileSnapshot))) return null;
      await this.adoptReplaced(bytes, async () => {
        await this.reconciler.takeUp(op, 'now', { id, columns: Object.keys(fields) });
        // The journal has nothing of an edit that changes neither the task nor its shared cells. Record at least the
        // call.
        if (!this.history.state.queue.ops.has(op)) await this.remember(op, [answer]);
      });
      return { answer };
    });
  }

  async remove(ids: readonly TaskId[], op: OpId): Promise<readonly RemovedRow[]> {
    const compose = (at: FileSnapshot): Rewritten<readonly RemovedRow[]> =>
      composeRemoval(at, ids, this.history.state.queue);
    return (await this.rewrite(op, compose)) ?? [];
  }

  restore(rows: readonly RemovedRow[], op: OpId): Promise<void> {
    return this.rewrite(op, (at) => composeRestore(at, rows, this.options.rows()));
  }

  move(id: TaskId, before: TaskId | null, op: OpId): Promise<void> {
    return this.rewrite(op, ({ file }) => ({ bytes: moveRow(file, id, before), answer: undefined }));
  }

  cells(id: TaskId): Promise<TaskFields> {
    return this.turns.take(async () => readCellsOf((await this.reconciler.observe()).file, id));
  }

  async *past(from: EpochMs): Past {
    await this.look(() => undefined);
    yield* this.history.past(from);
  }

  composeLogs(end: End, history: readonly Attempt[]): LogLines {
    return composeLogLines(end, history, this.options.rows().timeZone);
  }

  findOther(state: QueueState): Problem | null {
    return (
      findOtherMachine(state, this.options.machine) ?? findRunningScripts(this.paths.state, this.options.warn)
    );
  }

  watch(changed: () => void, signal: AbortSignal): void {
    watchQueue(this.paths, changed, signal, () => String(this.options.rows().promptFiles?.revision));
  }

  async sync(): Promise<void> {
    const end = await this.untilKept(async () => {
      const answer = await this.checkpoint.carryOut();
      return answer === 'again' ? null : { answer };
    });
    if (end === 'blocked') this.schedule.whenUnblocked();
  }

  archive(check: (state: QueueState) => void): Promise<string> {
    return this.untilKept(async () => {
      refuseScripts(this.paths.state, this.options.warn);
      check(this.history.state.queue);
      // The logs must be complete. A file with unsaved changes may be written later, as always.
      const end = await this.checkpoint.carryOut();
      if (end === 'again') return null;
      if (end === 'blocked') this.schedule.whenUnblocked();
      const answer = await archiveHistory(this.paths.state, this.history, this.options.clock.now());
      return answer === null ? null : { answer };
    });
  }

  /** Writes what is still due. What cannot be written now stays in the journal. */
  async close(): Promise<void> {
    await this.schedule.finish(() => this.turns.take(() => Promise.resolve()));
    await this.turns.take(() => this.history.close());
  }

  /** @param isLast whether to write it even if another process has just written one */
  private checkpointSerialized(isLast: boolean): Promise<CheckpointEnd> {
    return this.exclusively(async () => {
      if (!isLast && this.isCheckpointed()) return 'again';
      const end = await this.checkpoint.carryOut();
      if (end !== 'again')
        await this.history.compactIfDue(this.options.clock.now(), this.options.keepHistoryMs ?? Infinity);
      return end;
    }, 'later');
  }

  /** Whether another process has just written a checkpoint. */
  private isCheckpointed(): boolean {
    return this.reconciler.leftToLastWriterUntil() > systemClock.now();
  }

  private stepOn(state: QueueState, { rows }: FileSnapshot, op?: OpId): Step {
    const { clock } = this.options;
    return new Step(state, rows.set, clock.now(), op);
  }

  private exclusively<T>(work: () => Promise<T>, reading: Reading = 'now'): Promise<T> {
    return this.turns.take(async () => {
      for (let tries = 1; ; tries += 1) {
        // Before waiting for the lock, let a file that is being saved settle, and parse it.
        const isAtHand =
          tries === 1 &&
          ((await this.reconciler.seemsCurrent(reading)) ||
            (reading === 'later' && this.reconciler.isBeingCheckpointed));
        if (!isAtHand) await this.reconciler.observe(reading);
        const isLast = tries === MOST_GIVEN_BACK;
        const done = await this.locked(async () => {
          return isLast || (await this.isCurrent(reading)) ? { answer: await work() } : null;
        });
        if (done !== null) return done.answer;
      }
    });
  }

  /** Whether nothing large must be read under the lock. The journal may have been replaced as well as the file. */
  private async isCurrent(reading: Reading): Promise<boolean> {
    return !this.history.isReplaced() && (await this.reconciler.seemsCurrent(reading));
  }

  private locked<T>(work: () => Promise<T>): Promise<T> {
    return whileWritable(this.options.file, async () => {
      const { state } = this.paths;
      if (!this.hasMadeFolder || !existsSync(state.folder)) makeStateFolder(state);
      this.hasMadeFolder = true;
      return withLock(this.history.lock, work);
    });
  }

  /**
   * Imports external edits, then runs `work`, under the lock. Repeats both while `work` returns null because another
   * process was faster.
   * @throws Problem `queue-busy`
   */
  private untilKept<T>(
    work: (fileSnapshot: FileSnapshot) => Promise<{ readonly answer: T } | null>,
    reading: Reading = 'now',
  ): Promise<T> {
    return this.exclusively(async () => {
      for (let races = 0; races < MOST_RACES; races += 1) {
        const fileSnapshot = await this.reconciler.takeUp(undefined, reading);
        const isReady = fileSnapshot !== null && (await this.history.takeOver());
        const done = isReady ? await work(fileSnapshot) : null;
        if (done !== null) return done.answer;
      }
      throw changedMeanwhile(this.options.file);
    }, reading);
  }

  /** Runs `work` on a step. If it throws, discards the state, which may hold half of the step. */
  private doOrForget<T>(step: Step, work: (step: Step) => T): T {
    try {
      return work(step);
    } catch (error) {
      if (step.events.length > 0) this.history.forget();
      throw error;
    }
  }

  /**
   * Imports a change that is in the file already. If that fails, the next reader imports it, so the call still
   * succeeds.
   */
  private async adoptReplaced(bytes: Buffer, takeUp: () => Promise<unknown>): Promise<void> {
    this.reconciler.noteWritten(bytes, null);
    try {
      await takeUp();
    } catch (error) {
      this.options.warn(`${this.options.file} changed and will be imported later: ${String(error)}`);
    }
  }

  /** Replaces the file by what `compose` makes of it, once. Returns its answer; undefined when it is repeated. */
  private rewrite<T>(op: OpId, compose: (at: FileSnapshot) => Rewritten<T>): Promise<T | undefined> {
    return this.untilKept(async (fileSnapshot) => {
      refuseScripts(this.paths.state, this.options.warn);
      if (this.history.state.queue.ops.has(op)) return { answer: undefined };
      refuseIncomplete(this.options.file, fileSnapshot);
      const { bytes, answer } = compose(fileSnapshot);
      if (!(await replaceIfLatest(this.history, this.paths.file, bytes, fileSnapshot))) return null;
      await this.adoptReplaced(bytes, async () => {
        await this.reconciler.takeUp(op);
        if (!this.history.state.queue.ops.has(op)) await this.remember(op, []);
      });
      return { answer };
    });
  }

  private async remember(op: OpId, rows: readonly Added[]): Promise<void> {
    const { state } = this.history;
    const step = new Step(state.queue, NO_ROWS, this.options.clock.now(), op);
    step.record({ kind: 'seen', rows });
    await this.history.keep({ events: step.events });
  }

  private freeId({ rows }: FileSnapshot): TaskId {
    const { queue, reserved } = this.history.state;
    const free = nextId(new Step(queue, rows.set, this.now()));
    return Math.max(free, ...[...reserved.values()].map((id) => id + 1));
  }
}
