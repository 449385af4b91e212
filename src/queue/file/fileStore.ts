import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { Attempt } from '../../domain/attempt';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task';
import { type Clock, systemClock } from '../../platform/clock';
import { hasCode, makePrivateFolder } from '../../platform/files';
import { withLock } from '../../platform/lock';
import type { LogLines } from '../model/events';
import type { EventStore } from '../model/modelQueue';
import { copyState } from '../model/state';
import { nextId, Step } from '../model/steps';
import type { End, Machine, NewRow, OpId } from '../taskQueue';
import { appendRecord, type CsvFile } from './csvFile';
import { applyEntry, applyRest, emptyFileState, type Entry, type FileState } from './fileState';
import { watchQueue } from './fileWatch';
import { clearUp, digest, measureLogs, swap } from './fold';
import { ingest } from './ingest';
import { Journal } from './journal';
import { appendLogs } from './logFiles';
import { project } from './projection';
import { QueueFile } from './queueFile';
import { RowReader, type FileRows } from './queueRows';
import type { RowContext } from './row';
import { composeLogLines } from './seedLogs';

/** Where and how a queue file is kept. */
export interface FileStoreOptions {
  /** The CSV, absolute. */
  readonly file: string;
  readonly rows: RowContext;
  readonly machine: Machine;
  /** The queue's time. */
  readonly clock: Clock;
  /** Tells a person of something that was put off and will be tried again. */
  readonly warn: (message: string) => void;
}

/** How long the CSV may lag behind the journal. */
const FOLD_DELAY_MS = 40;

/** As many times as a step is tried again when another process was faster. */
const MOST_RACES = 50;

/** A queue in a CSV file: the file is its owner's, the journal beside it the program's truth. */
export class FileStore implements EventStore {
  private state: FileState = emptyFileState();
  private readonly journal: Journal<Entry>;
  private readonly queueFile: QueueFile;
  private readonly reader: RowReader;
  private readonly stateFolder: string;
  /** Calls of this process go one after another. */
  private turn: Promise<unknown> = Promise.resolve();
  private foldTimer: NodeJS.Timeout | null = null;
  private cleared = false;

  private constructor(private readonly options: FileStoreOptions) {
    this.stateFolder = path.join(path.dirname(options.file), 'state');
    this.journal = new Journal(path.join(this.stateFolder, 'journal'));
    // A file settles in the machine's time, whatever time the queue is told.
    this.queueFile = new QueueFile(options.file, systemClock);
    this.reader = new RowReader(options.rows);
  }

  /** @throws Problem `queue-missing` */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    const store = new FileStore({ ...options, file: await resolveFile(options.file) });
    await store.queueFile.read(null);
    return store;
  }

  look<T>(work: (step: Step) => T): Promise<T> {
    return this.inTurn(async () => {
      await this.catchUp();
      const rows = this.reader.read(await this.readFile());
      const step = new Step(copyState(this.state.queue), rows, this.options.clock.now());
      ingest(step, this.state, rows);
      return work(step);
    });
  }

  transact<T>(op: OpId, work: (step: Step) => T): Promise<T> {
    return this.exclusively(async () => {
      for (let races = 0; races < MOST_RACES; races += 1) {
        const rows = await this.takeUpFile();
        if (rows === null) continue;
        const step = new Step(this.state.queue, rows, this.options.clock.now(), op);
        const answer = this.doOrForget(() => work(step));
        if (step.events.length === 0 || (await this.keep({ events: step.events }))) {
          if (this.isBehind(rows)) this.foldSoon();
          return answer;
        }
      }
      throw this.busy();
    });
  }

  add(row: NewRow, op: OpId): Promise<TaskId> {
    return this.exclusively(async () => {
      for (let races = 0; races < MOST_RACES; races += 1) {
        const rows = await this.takeUpFile();
        if (rows === null) continue;
        const done = this.state.queue.ops.get(op);
        if (done?.kind === 'seen') return lastId(done.rows);
        const id = nextId(new Step(this.state.queue, rows, this.options.clock.now()));
        const before = await this.readFile();
        this.refuseIncomplete(before, rows);
        const bytes = appendRecord(before, { ...row.cells, id: String(id) });
        if ((await swap(this.options.file, bytes, before.bytes)) !== null) {
          await clearUp(this.options.file, null);
          continue;
        }
        this.queueFile.believe(bytes);
        await this.takeUpFile(op);
        return id;
      }
      throw this.busy();
    });
  }

  composeLogs(end: End, history: readonly Attempt[]): LogLines {
    return composeLogLines(end, history, this.options.rows.timeZone);
  }

  watch(changed: () => void, signal: AbortSignal): void {
    watchQueue({ file: this.options.file, stateFolder: this.stateFolder }, changed, signal);
  }

  archive(): Promise<string> {
    return this.exclusively(async () => {
      await this.takeUpFile();
      const running = [...this.state.queue.claims.keys()];
      if (running.length > 0) {
        throw new Problem('already-running', `Task ${running.join(', ')} is running: stop it before a reset.`);
      }
      await this.fold();
      return putAway(this.stateFolder, this.options.clock.now());
    });
  }

  /** Writes what is still to be written; what cannot be written now stays in the journal. */
  async close(): Promise<void> {
    if (this.foldTimer === null) return this.inTurn(() => Promise.resolve());
    clearTimeout(this.foldTimer);
    this.foldTimer = null;
    await this.foldOrWarn();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await makePrivateFolder(this.stateFolder);
      return withLock(path.join(this.stateFolder, 'queue.lock'), work);
    });
  }

  /** The file now; what a fold wrote, also another process's, need not settle first. */
  private readFile(): Promise<CsvFile> {
    return this.queueFile.read(this.state.lastResult);
  }

  /** Reads what others have appended. */
  private async catchUp(): Promise<void> {
    const { restarted, entries } = await this.journal.read();
    if (restarted) this.state = emptyFileState();
    for (const entry of entries) applyEntry(this.state, entry);
  }

  /** The rows, with what people did to them taken up; null when another process was faster. */
  private async takeUpFile(op?: OpId): Promise<FileRows | null> {
    await this.catchUp();
    if (!this.cleared || this.state.interrupted !== null) {
      await clearUp(this.options.file, this.state.interrupted?.base ?? null);
      this.cleared = true;
    }
    const rows = this.reader.read(await this.readFile());
    const step = new Step(this.state.queue, rows, this.options.clock.now(), op);
    const found = ingest(step, this.state, rows);
    if (found.length === 0 && step.events.length === 0) return rows;
    return (await this.keep({ events: step.events, found })) ? rows : null;
  }

  /** Puts an entry, whose events have happened to the state already, on the disk; false when another was faster. */
  private async keep(entry: Entry): Promise<boolean> {
    let kept = false;
    try {
      kept = await this.journal.append(entry);
    } finally {
      if (!kept) this.forget();
    }
    if (kept) applyRest(this.state, entry);
    return kept;
  }

  /** A step that throws must not leave half of itself in the state. */
  private doOrForget<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  private forget(): void {
    this.journal.rewind();
    this.state = emptyFileState();
  }

  private isBehind(rows: FileRows): boolean {
    return this.state.waitingLogs.size > 0 || this.state.interrupted !== null || this.projection(rows) !== null;
  }

  private projection(rows: FileRows, file?: CsvFile): ReturnType<typeof project> {
    const current = file ?? this.queueFile.believed;
    return current === null ? null : project(current, rows, this.state, this.options.rows.timeZone);
  }

  private foldSoon(): void {
    this.foldTimer ??= setTimeout(() => {
      this.foldTimer = null;
      void this.foldOrWarn();
    }, FOLD_DELAY_MS);
  }

  /** The CSV and the logs may always be written later: the journal has it all. */
  private async foldOrWarn(): Promise<void> {
    try {
      await this.exclusively(() => this.fold());
    } catch (error) {
      this.options.warn(`${this.options.file} could not be brought up to date and will be later: ${String(error)}`);
    }
  }

  /** Brings the CSV and the logs up to the journal. */
  private async fold(): Promise<void> {
    const rows = await this.takeUpFile();
    if (rows?.whole !== true) return;
    await this.finishInterrupted();
    const file = await this.readFile();
    const projection = this.projection(rows, file);
    if (projection === null && this.state.waitingLogs.size === 0) return;
    const intent = {
      cells: projection?.cells ?? [],
      base: digest(file.bytes),
      result: digest(projection?.bytes ?? file.bytes),
      logSizes: await measureLogs(this.stateFolder),
    };
    if (!(await this.keep({ fold: intent }))) return;
    if (projection !== null) await this.write(projection.bytes, file.bytes);
    await this.finishInterrupted();
  }

  /** Writes the logs of a fold and notes that it is done. */
  private async finishInterrupted(): Promise<void> {
    const { interrupted } = this.state;
    if (interrupted === null) return;
    await appendLogs(this.stateFolder, interrupted.logs, interrupted.logSizes);
    await this.keep({ folded: true });
  }

  private async write(bytes: Buffer, expected: Buffer): Promise<void> {
    const saved = await swap(this.options.file, bytes, expected);
    if (saved === null) {
      this.queueFile.believe(bytes);
      return;
    }
    // Somebody saved in that instant: their file goes back, is taken up, and the next fold builds on it.
    await clearUp(this.options.file, this.state.interrupted?.base ?? null);
    await this.takeUpFile();
    this.foldSoon();
  }

  private refuseIncomplete(file: CsvFile, rows: FileRows): void {
    if (file.problem === null) return;
    const where = `${this.options.file}:${String(file.problem.line)}:${String(file.problem.column)}`;
    throw new Problem('queue-incomplete', `${where} ${rows.problems[0]?.message ?? ''} Mend it, then add the task.`);
  }

  private busy(): Problem {
    return new Problem('queue-busy', `${this.options.file}: other processes kept changing the queue. Try again.`);
  }
}

function lastId(rows: readonly { readonly id: TaskId }[]): TaskId {
  return rows.reduce((highest, { id }) => Math.max(highest, id), 0);
}

/** Through links, so that a rename replaces the file and not a link to it. */
async function resolveFile(file: string): Promise<string> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return file;
    throw error;
  }
}

/** Moves logs, outputs and journal into a folder of their own and gives its path. */
async function putAway(stateFolder: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19);
  const archive = path.join(stateFolder, 'archive', `${stamp}-${randomUUID().slice(0, 8)}`);
  await makePrivateFolder(archive);
  for (const name of await fs.readdir(stateFolder)) {
    if (name.startsWith('queue.lock') || name === 'archive') continue;
    await fs.rename(path.join(stateFolder, name), path.join(archive, name));
  }
  return archive;
}
