import { existsSync } from 'node:fs';
import * as path from 'node:path';
import type { Attempt } from '../../domain/task/attempt';
import { powerOf } from '../../domain/task/permissionFingerprint';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { systemClock } from '../../platform/clock';
import { withLock } from '../../platform/lock/lock';
import { resolveFile } from '../../platform/files/paths';
import type { LogLines } from '../model/events';
import { refuseBadDependencies } from '../model/dependencyCheck';
import type { EventStore } from '../model/modelQueue';
import { refuseRemoval } from '../model/removal';
import type { QueueState } from '../model/queueState';
import { nextId } from '../model/steps';
import { Step } from '../model/step';
import type { Added, End, NewRow, OpId } from '../taskQueue';
import { putAway } from './journal/archive';
import { FileHistory } from './journal/fileHistory';
import { watchQueue } from './fileWatch';
import { Fold, type FoldEnd, type PreparedFold } from './checkpoint/checkpoint';
import { FoldSchedule } from './checkpoint/checkpointSchedule';
import { Intake, type Reading, type Sighting } from './import/reconciler';
import { appendRows, editRow, removeRows } from '../csv/newRow';
import { composeLogLines } from './checkpoint/logLines';
import { refuseBeside } from './journal/olderWorker';
import { isInFile } from './import/queueRows';
import { findScriptsAtWork, refuseScripts } from './scripts/scriptsLock';
import { makeStateFolder, refuseUnsafe } from './stateFolder';
import type { FileStoreOptions } from './storeOptions';
import { swap } from './checkpoint/atomicReplace';
import { tellUnwritable } from './unwritable';

/** As many times as a step is tried again when another process was faster. */
const MOST_RACES = 50;

/** As many times as the lock is given back at most because file or journal were replaced while somebody waited for it. */
const MOST_GIVEN_BACK = 3;

/** A queue in a CSV file: the file is its owner's, the journal beside it the program's truth. */
export class FileStore implements EventStore {
  private readonly history: FileHistory;
  private readonly intake: Intake;
  private readonly fold: Fold;
  private readonly stateFolder: string;
  /** Once is enough while the folder stands. */
  private hasMadeFolder = false;
  /** Calls of this process go one after another. */
  private turn: Promise<unknown> = Promise.resolve();
  private readonly schedule: FoldSchedule;

  private constructor(private readonly options: FileStoreOptions) {
    const { file, clock, rows, machine, known } = options;
    this.stateFolder = path.join(path.dirname(file), 'state');
    this.history = new FileHistory(path.join(this.stateFolder, 'journal'), { known, machine });
    const place = { file, stateFolder: this.stateFolder, timeZone: () => rows().timeZone };
    this.intake = new Intake(place, this.history, clock, rows);
    this.fold = new Fold(place, this.history, this.intake, (process) => machine.isAlive(process));
    this.schedule = new FoldSchedule({
      carryOut: (isLast) => this.foldInTurn(isLast),
      restsUntil: () => this.intake.restsUntil(),
      isBlocked: () => this.fold.isBlocked(),
      failed: (error) => {
        options.warn(`${file} could not be brought up to date and will be later: ${String(error)}`);
      },
    });
  }

  /** @throws Problem `queue-missing`, `queue-unreadable`, `state-newer`, `state-damaged`, `state-foreign`, `state-linked` */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    const store = new FileStore({ ...options, file: await resolveFile(options.file) });
    await refuseUnsafe(store.stateFolder);
    await store.intake.observe();
    return store;
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return this.inTurn(async () => {
      const sighting = await this.intake.observe();
      return work(this.intake.lookAt(sighting, (state) => this.stepOn(state, sighting)));
    });
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return this.untilKept(async (sighting) => {
      const older = this.history.findOlderWorker();
      const step = this.stepOn(this.history.state.queue, sighting, op);
      const answer = this.doOrForget(step, work);
      if (older !== null) this.doOrForget(step, (done) => refuseBeside(older, done));
      this.fold.arrears.noteEvents(step.events);
      if (step.events.length > 0 && !(await this.history.keep({ events: step.events }))) return null;
      if (this.fold.isDue(sighting)) this.schedule.soon();
      return { answer };
    }, 'later');
  }

  /** First the last id is reserved for this call, then the rows are appended: repeated after a crash, they are there once. */
  addAll(rows: readonly NewRow[], op: OpId): Promise<readonly Added[]> {
    return this.untilKept(async (sighting) => {
      refuseScripts(this.stateFolder, this.options.warn);
      const { state } = this.history;
      const done = state.queue.ops.get(op);
      this.refuseIncomplete(sighting);
      const reserved = done?.kind === 'seen' ? lastId(done.rows) : state.reserved.get(op);
      // In this order: behind the largest id there is, a sum would be rounded.
      const id = reserved ?? this.freeId(sighting) + (rows.length - 1);
      const { bytes, definitions } = appendRows(
        sighting.file,
        rows,
        id - (rows.length - 1),
        this.options.rows(),
      );
      const answer = definitions.map((definition) => ({ id: definition.id, power: powerOf(definition) }));
      if (done === undefined)
        for (const definition of definitions) refuseBadDependencies(definition, sighting.rows.set);
      if (done !== undefined || (reserved !== undefined && isInFile(sighting.rows, reserved)))
        return { answer };
      if (reserved === undefined && !(await this.history.keep({ reserved: { op, id } }))) return null;
      if (!(await swap(this.options.file, bytes, sighting.file.bytes))) return null;
      await this.takeUpSwapped(bytes, () => this.intake.takeUp(op));
      return { answer };
    });
  }

  edit(id: TaskId, cells: NewRow['cells'], op: OpId): Promise<Added> {
    return this.untilKept(async (sighting) => {
      refuseScripts(this.stateFolder, this.options.warn);
      this.refuseIncomplete(sighting);
      const { bytes, row } = editRow(sighting.file, id, cells, this.options.rows());
      const answer = { id, power: powerOf(row.definition) };
      const { queue } = this.history.state;
      if (queue.ops.has(op) || bytes.equals(sighting.file.bytes)) return { answer };
      refuseBadDependencies(row.definition, sighting.rows.set);
      if (!(await swap(this.options.file, bytes, sighting.file.bytes))) return null;
      await this.takeUpSwapped(bytes, async () => {
        await this.intake.takeUp(op);
        // Of a cell that widens nothing the journal is not told: that this call has changed it, it is.
        if (!this.history.state.queue.ops.has(op)) await this.remember(op, [answer]);
      });
      return { answer };
    });
  }

  removeRows(ids: readonly TaskId[], op: OpId): Promise<void> {
    return this.untilKept(async (sighting) => {
      refuseScripts(this.stateFolder, this.options.warn);
      if (this.history.state.queue.ops.has(op)) return { answer: undefined };
      this.refuseIncomplete(sighting);
      const bytes = removeRows(sighting.file, ids);
      refuseRemoval(ids, sighting.rows.set, this.history.state.queue);
      if (!(await swap(this.options.file, bytes, sighting.file.bytes))) return null;
      await this.takeUpSwapped(bytes, async () => {
        await this.intake.takeUp(op);
        if (!this.history.state.queue.ops.has(op)) await this.remember(op, []);
      });
      return { answer: undefined };
    });
  }

  composeLogs(end: End, history: readonly Attempt[]): LogLines {
    return composeLogLines(end, history, this.options.rows().timeZone);
  }

  findOther(): Problem | null {
    return findScriptsAtWork(this.stateFolder, this.options.warn);
  }

  watch(changed: () => void, signal: AbortSignal): void {
    watchQueue({ file: this.options.file, stateFolder: this.stateFolder }, changed, signal);
  }

  async writeBack(): Promise<void> {
    const end = await this.untilKept(async () => {
      const answer = await this.fold.carryOut();
      return answer === 'again' ? null : { answer };
    });
    if (end === 'blocked') this.schedule.whenUnblocked();
  }

  archive(check: (state: QueueState) => void): Promise<string> {
    return this.untilKept(async () => {
      refuseScripts(this.stateFolder, this.options.warn);
      check(this.history.state.queue);
      // The logs must have what waits for them; a file with unsaved changes may be written later, as at any time.
      const end = await this.fold.carryOut();
      if (end === 'again') return null;
      if (end === 'blocked') this.schedule.whenUnblocked();
      const answer = await putAway(this.stateFolder, this.history, this.options.clock.now());
      return answer === null ? null : { answer };
    });
  }

  /** Writes what is still to be written; what cannot be written now stays in the journal. */
  async close(): Promise<void> {
    await this.schedule.finish(() => this.inTurn(() => Promise.resolve()));
    await this.inTurn(() => this.history.close());
  }

  /** @param isLast whether it cannot wait, though another process has just made one */
  private async foldInTurn(isLast: boolean): Promise<FoldEnd> {
    await this.intake.readAhead();
    const plan = await this.inTurn(async () => {
      await this.history.catchUp();
      return !isLast && this.isFolded() ? 'again' : this.fold.plan();
    });
    if (plan === 'again') return plan;
    // Written before anybody has to wait for the lock, while steps go on.
    const prepared =
      plan === null ? null : await tellUnwritable(this.options.file, () => this.fold.prepare(plan));
    try {
      return await this.exclusively(() => this.foldAndCompact(isLast, prepared), 'later');
    } finally {
      if (prepared !== null) await this.fold.discard(prepared);
    }
  }

  private async foldAndCompact(isLast: boolean, prepared: PreparedFold | null): Promise<FoldEnd> {
    if (!isLast && this.isFolded()) return 'again';
    const end = await this.fold.carryOut(prepared);
    if (end !== 'again')
      await this.history.compactIfDue(this.options.clock.now(), this.options.keepHistoryMs ?? Infinity);
    return end;
  }

  /** Whether another process has just done it. */
  private isFolded(): boolean {
    return this.intake.othersFoldUntil() > systemClock.now();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  private stepOn(state: QueueState, { rows }: Sighting, op?: OpId): Step {
    const { clock } = this.options;
    // What happens to a copy is thrown away.
    if (state === this.history.state.queue) this.fold.arrears.take(state);
    return new Step(state, rows.set, clock.now(), op);
  }

  private exclusively<T>(work: () => Promise<T>, reading: Reading = 'now'): Promise<T> {
    return this.inTurn(async () => {
      for (let tries = 1; ; tries += 1) {
        // A file that somebody is just saving settles, and is understood, before anybody has to wait for the lock.
        const isAtHand =
          tries === 1 &&
          ((await this.intake.seemsCurrent(reading)) || (reading === 'later' && this.intake.isBeingFolded));
        if (!isAtHand) await this.intake.observe(reading);
        const isLast = tries === MOST_GIVEN_BACK;
        const done = await this.locked(async () => {
          return isLast || (await this.isCurrent(reading)) ? { answer: await work() } : null;
        });
        if (done !== null) return done.answer;
      }
    });
  }

  /** Whether nothing large has to be read while others wait: the journal may have been replaced as well as the file. */
  private async isCurrent(reading: Reading): Promise<boolean> {
    return !this.history.isReplaced() && (await this.intake.seemsCurrent(reading));
  }

  private locked<T>(work: () => Promise<T>): Promise<T> {
    return tellUnwritable(this.options.file, async () => {
      if (!this.hasMadeFolder || !existsSync(this.stateFolder)) makeStateFolder(this.stateFolder);
      this.hasMadeFolder = true;
      return withLock(path.join(this.stateFolder, this.history.lockName), work);
    });
  }

  /** Does `work` under the lock, on what people did to the file, again while it gives null because another was faster. */
  private untilKept<T>(
    work: (sighting: Sighting) => Promise<{ readonly answer: T } | null>,
    reading: Reading = 'now',
  ): Promise<T> {
    return this.exclusively(async () => {
      for (let races = 0; races < MOST_RACES; races += 1) {
        const sighting = await this.intake.takeUp(undefined, reading);
        const isReady = sighting !== null && (await this.history.takeOver());
        const done = isReady ? await work(sighting) : null;
        if (done !== null) return done.answer;
      }
      throw new Problem(
        'queue-busy',
        `${this.options.file}: other processes kept changing the queue. Try again.`,
      );
    }, reading);
  }

  /** A step that throws must not leave half of itself in the state. */
  private doOrForget<T>(step: Step, work: (step: Step) => T): T {
    try {
      return work(step);
    } catch (error) {
      if (step.events.length > 0) this.history.forget();
      throw error;
    }
  }

  /** The file is changed already, and that is the answer: what cannot be kept now, whoever reads it next takes up. */
  private async takeUpSwapped(bytes: Buffer, takeUp: () => Promise<unknown>): Promise<void> {
    this.intake.believe(bytes, null);
    try {
      await takeUp();
    } catch (error) {
      this.options.warn(`${this.options.file} was changed, and will be taken up later: ${String(error)}`);
    }
  }

  private async remember(op: OpId, rows: readonly Added[]): Promise<void> {
    const { state } = this.history;
    const step = new Step(state.queue, NO_ROWS, this.options.clock.now(), op);
    step.record({ kind: 'seen', rows });
    await this.history.keep({ events: step.events });
  }

  private freeId({ rows }: Sighting): TaskId {
    const { queue, reserved } = this.history.state;
    let free = nextId(new Step(queue, rows.set, this.options.clock.now()));
    for (const id of reserved.values()) free = Math.max(free, id + 1);
    return free;
  }

  private refuseIncomplete({ file, rows }: Sighting): void {
    if (file.problem === null) return;
    const where = `${this.options.file}:${String(file.problem.line)}:${String(file.problem.column)}`;
    throw new Problem(
      'queue-incomplete',
      `${where} ${rows.set.problems[0]?.message ?? ''} Mend it, then try again.`,
    );
  }
}

const NO_ROWS = { rows: [], problems: [], invalidIds: new Set<TaskId>(), whole: true };

function lastId(rows: readonly { readonly id: TaskId }[]): TaskId {
  return rows.reduce((highest, { id }) => Math.max(highest, id), 0);
}
