import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Definition, SharedCells, TaskId } from '../../src/domain/task/task';
import type { Clock } from '../../src/platform/clock';
import { readIfThere } from '../../src/platform/files/files';
import { BASIC_COLUMNS } from '../../src/queue/row/columns';
import { openFileQueue } from '../../src/queue/openQueue';
import type { Machine, TaskQueue } from '../../src/queue/taskQueue';
import { cellsOf, textsOf, type Cells } from './cells';
import type { SystemUnderTest } from './systemUnderTest';
import { OWN_HISTORY } from '../support/queue/ownHistory';

/** Those that scenarios fill. */
const COLUMNS = [
  ...BASIC_COLUMNS,
  ...['created_at', 'timeout', 'model', 'user', 'deadline', 'tags', 'callback_url', 'request_id', 'metadata'],
  'unless_unchanged',
] as const;

const NEW: SharedCells = { status: 'pending', scheduledAt: null, retryCount: 0 };

/** A queue in a file of its own, whose owner writes into it with an editor. */
export class FileSystemUnderTest implements SystemUnderTest {
  readonly queue: TaskQueue;
  private readonly opened: TaskQueue[];
  /** Rows as they were when they were deleted: one that is pasted again as it was has not been changed. */
  private readonly removed = new Map<TaskId, Cells>();

  private constructor(
    readonly folder: string,
    queue: TaskQueue,
    private readonly openMore: () => Promise<TaskQueue>,
  ) {
    this.queue = queue;
    this.opened = [queue];
  }

  static async open(
    clock: Clock,
    machine: Machine,
    text = `${COLUMNS.join(',')}\n`,
  ): Promise<FileSystemUnderTest> {
    const folder = await mkdtemp(path.join(tmpdir(), 'claude-task-queue-file-'));
    const file = path.join(folder, 'prompts.csv');
    await save(file, text);
    const rows = { timeZone: 'UTC', folder: '/place', home: '/home/me', allowBypass: false };
    const warn = (message: string): void => {
      throw new Error(message);
    };
    const open = (): Promise<TaskQueue> =>
      openFileQueue({ file, rows: () => rows, machine, known: OWN_HISTORY, clock, warn });
    return new FileSystemUnderTest(folder, await open(), open);
  }

  get file(): string {
    return path.join(this.folder, 'prompts.csv');
  }

  async another(): Promise<TaskQueue> {
    const queue = await this.openMore();
    this.opened.push(queue);
    return queue;
  }

  async put(definition: Definition, touched: Partial<SharedCells> = {}): Promise<Partial<SharedCells>> {
    await this.settle();
    const rows = await this.readRows();
    const index = rows.findIndex((row) => row['id'] === String(definition.id));
    const before = rows[index] ?? this.removed.get(definition.id) ?? {};
    const whole = index < 0 ? { ...NEW, ...touched } : touched;
    const texts = textsOf(whole);
    const changed = Object.entries(texts).filter(([column, text]) => before[column] !== text);
    rows[index < 0 ? rows.length : index] = { ...before, ...cellsOf(definition), ...texts };
    await this.writeRows(rows);
    const columns = new Set(changed.map(([column]) => column));
    return {
      ...(columns.has('status') && whole.status !== undefined ? { status: whole.status } : {}),
      ...(columns.has('scheduled_time') && whole.scheduledAt !== undefined
        ? { scheduledAt: whole.scheduledAt }
        : {}),
      ...(columns.has('retry_count') && whole.retryCount !== undefined
        ? { retryCount: whole.retryCount }
        : {}),
    };
  }

  async remove(id: TaskId): Promise<void> {
    await this.settle();
    const rows = await this.readRows();
    const gone = rows.find((row) => row['id'] === String(id));
    if (gone === undefined) return;
    this.removed.set(id, gone);
    await this.writeRows(rows.filter((row) => row !== gone));
  }

  async close(): Promise<void> {
    await this.settle();
    await rm(this.folder, { recursive: true });
  }

  /** Writes everything that is still to be written to the file. */
  async settle(): Promise<void> {
    for (const queue of this.opened) await queue.close();
  }

  async readRows(): Promise<Cells[]> {
    return parse(await readFile(this.file), { columns: true });
  }

  /** The file as it lies on the disk once everything is written. */
  async text(): Promise<string> {
    await this.settle();
    return readFile(this.file, 'utf8');
  }

  /** One of the queue's logs; empty where it is not there. */
  async log(name: string): Promise<string> {
    return ((await readIfThere(path.join(this.folder, 'state', name))) ?? '').toString();
  }

  /** The owner saves this text in place. */
  async save(text: string): Promise<void> {
    await this.settle();
    await save(this.file, text);
  }

  /** Saves, and lets the queue take it up at once, as a worker does whose watch reports the change. */
  private async writeRows(rows: readonly Cells[]): Promise<void> {
    const lines = rows.map((row) => COLUMNS.map((column) => quote(row[column] ?? '')).join(','));
    await save(this.file, [COLUMNS.join(','), ...lines, ''].join('\n'));
    await this.queue.approve([], `owner-${randomUUID()}`);
  }
}

/** With a time at which nobody has to wait for the end of the save, and everybody has seen what was there before. */
export async function save(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  const later = new Date(Date.now() + 3_600_000);
  await utimes(file, later, later);
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
