import * as fs from 'node:fs';
import * as path from 'node:path';
import { openKeptTrees } from '../../../src/app/context/openKeptTrees';
import type { QueueContext } from '../../../src/app/context/queueContext';
import { settleUndos } from '../../../src/app/actions/undo/settleUndos';
import { undoTask, type UndoResult } from '../../../src/app/actions/undo/undoTask';
import type { Attempt } from '../../../src/domain/task/attempt';
import type { ProcessIdentity } from '../../../src/domain/task/processIdentity';
import { createDiffMeasure } from '../../../src/platform/git/changeMeasure';
import { systemClock } from '../../../src/platform/clock';
import { machineId } from '../../../src/platform/processes/machine';
import type { TaskQueue } from '../../../src/queue/taskQueue';
import { GitRepository } from '../machine/gitRepository';

const NEVER = new AbortController().signal;

/** A repository in which attempts ran and are undone. Their history is a list in a file, so that a child has it too. */
export class UndoWorld {
  readonly repository: GitRepository;
  /** Whether the process that undoes is known to be alive. */
  isAlive = true;
  /** Time by which the queue's clock is ahead of this machine's, in ms. */
  aheadMs = 0;
  private readonly measure;

  constructor(private readonly folder: string) {
    const top = path.join(folder, 'repository');
    fs.mkdirSync(top, { recursive: true });
    this.repository = new GitRepository(top);
    this.measure = createDiffMeasure({ environment: this.env, except: [], longestMs: 3_600_000 });
  }

  static create(folder: string): UndoWorld {
    const world = new UndoWorld(folder);
    GitRepository.init(world.top);
    fs.writeFileSync(path.join(world.top, '.git/info/exclude'), 'ignored\n');
    world.save([]);
    return world;
  }

  get top(): string {
    return this.repository.folder;
  }

  private get env(): Record<string, string> {
    const state = path.join(this.folder, 'state');
    return { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', XDG_STATE_HOME: state };
  }

  /** Runs an attempt of a task, which does `work`. */
  async attempt(id: number, outcome: Attempt['outcome'], work: () => void): Promise<Attempt> {
    const startedAt = this.now();
    const measure = await this.measure(this.top, NEVER);
    try {
      work();
      const change = await measure.end();
      if (change === undefined) throw new Error('The change is not known.');
      const attempts = this.attempts();
      const number = attempts.filter((each) => each.id === id).length + 1;
      const ended = { startedAt, endedAt: this.now(), outcome, diff: change.size };
      const attempt = { id, number, ...ended } as Attempt;
      await openKeptTrees(this.context).keep(attempt, change, NEVER);
      this.save([...attempts, attempt]);
      return attempt;
    } finally {
      measure.drop();
    }
  }

  async undo(id: number): Promise<UndoResult> {
    const request = { id, isDryRun: false, confirm: () => Promise.resolve(true) };
    const result = await undoTask(this.context, this.queue, request, () => undefined);
    if (result === null) throw new Error('The user agreed.');
    return result;
  }

  async settle(): Promise<void> {
    await settleUndos(this.context, this.queue, () => undefined);
  }

  /** Names of leftover files of undos, besides files that a process was just writing. */
  leftover(): string[] {
    const folder = path.join(this.folder, 'state/claude-queue/undo');
    return fs.existsSync(folder)
      ? fs.readdirSync(folder).filter((name) => name !== 'kept' && !name.endsWith('.tmp'))
      : [];
  }

  attempts(): Attempt[] {
    return JSON.parse(fs.readFileSync(this.history, 'utf8')) as Attempt[];
  }

  private save(attempts: readonly Attempt[]): void {
    fs.writeFileSync(`${this.history}.new`, JSON.stringify(attempts));
    fs.renameSync(`${this.history}.new`, this.history);
  }

  private now(): number {
    return Date.now() + this.aheadMs;
  }

  private get history(): string {
    return path.join(this.folder, 'history.json');
  }

  get context(): QueueContext {
    const self: ProcessIdentity = { pid: process.pid, startedAt: 'now' };
    const processes = {
      self: () => self,
      isAlive: () => this.isAlive,
      ancestors: () => [],
      isInsideAttempt: () => false,
    };
    const host = { env: this.env, processes, createId: () => crypto.randomUUID(), clock: systemClock };
    return { queueFile: '/queue', host, machine: { id: machineId() } } as unknown as QueueContext;
  }

  get queue(): TaskQueue {
    const queue: Pick<TaskQueue, 'recordUndo' | 'attempts'> = {
      attempts: ({ id }) =>
        Promise.resolve(
          this.attempts()
            .filter((each) => id === undefined || each.id === id)
            .reverse(),
        ),
      recordUndo: (id, numbers) => {
        const isMeant = (each: Attempt): boolean => each.id === id && numbers.includes(each.number);
        this.save(this.attempts().map((each) => (isMeant(each) ? { ...each, undoneAt: 1 } : each)));
        return Promise.resolve();
      },
    };
    const read = (): unknown => Promise.resolve({ claims: [], tasks: [], problems: [] });
    return { ...queue, read, now: () => this.now() } as unknown as TaskQueue;
  }
}

/** Everything below a folder by its path: type, permissions and content. Folders end with a slash. */
export function lookAt(folder: string, inside = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of fs.readdirSync(path.join(folder, inside), { withFileTypes: true })) {
    const name = path.join(inside, entry.name);
    const file = path.join(folder, name);
    if (entry.isSymbolicLink()) found.set(name, `link ${fs.readlinkSync(file)}`);
    else if (entry.isDirectory()) {
      found.set(`${name}/`, '');
      for (const [each, text] of lookAt(folder, name)) found.set(each, text);
    } else {
      const mode = fs.statSync(file).mode & 0o7777;
      found.set(name, `${mode.toString(8)} ${fs.readFileSync(file, 'latin1')}`);
    }
  }
  return found;
}
