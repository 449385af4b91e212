import type { ChildProcess } from 'node:child_process';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { Clock } from '../clock';
import { hasCode } from '../files/files';
import { createProcTable, createPsTable, type ProcessRow, type ProcessTable } from './processTable';

/** Environment variable that names an attempt in its run and in every process below it. */
export const RUN_MARK_VARIABLE = 'CLAUDE_QUEUE_RUN';

/** Options of `endTree`. */
export interface EndOptions {
  /** Time for the root to end by itself after SIGTERM, before everything is killed. */
  readonly graceMs: number;
  /** Value of `RUN_MARK_VARIABLE`: every process that carries it is ended too, wherever it moved. */
  readonly mark?: string;
  /**
   * The root was just started from here as the leader of its process group. The group is ended too, also when the root
   * has ended by itself. Do not set it for a root that ended long ago: its group may belong to others by now.
   */
  readonly leadsGroup?: true;
  readonly clock: Clock;
}

/** The machine's processes. */
export interface Processes {
  /** Returns the process with this id, a zombie included; null: there is none. */
  identify(pid: number): ProcessIdentity | null;
  /**
   * Returns the identity of a process that was just started from here and is ended by `endTree`; null: it was not
   * started. Where that fails, it kills the process, which nothing could end later.
   */
  identifyChild(child: ChildProcess, how: Pick<EndOptions, 'graceMs' | 'mark'>): ProcessIdentity | null;
  /** Whether this very process still runs: a zombie, or a later process with its number, does not. */
  isAlive(identity: ProcessIdentity): boolean;
  /** Returns the parent, its parent and so on. */
  ancestors(pid: number): number[];
  /**
   * Whether this process, or one above it, was started as part of a run. A process cannot take back what it was started
   * with. So a run that hides its mark from its children is still recognized by the processes in between. A process
   * that cut itself off from all of them is not.
   */
  isInsideAttempt(pid: number): boolean;
  /** Returns the processes that carry this mark; none where the system does not show it. */
  readonly findMarked: (mark: string) => readonly ProcessIdentity[];
  /** Returns the command line of a process, its words separated by spaces; null: it does not run. */
  readonly commandLine: (pid: number) => string | null;
  self(): ProcessIdentity;
  /**
   * Ends a process and everything below it: SIGTERM to the root, then, after its grace, SIGKILL to all that is left.
   * Children that moved to a session of their own are found by descent and by their mark. Resolves when nothing is
   * left, or after `KILL_POLLS` when something cannot be ended. Rejects when the processes cannot be read for that
   * long.
   */
  endTree(root: ProcessIdentity, options: EndOptions): Promise<void>;
}

const POLL_MS = 50;
const KILL_POLLS = 100;
const DEEPEST_TREE = 1024;

/** Whether a process started before another; false where the start times do not tell. */
function isOlder(row: ProcessIdentity, than: ProcessIdentity): boolean {
  const [boot, ticks] = row.startedAt.split('/');
  const [otherBoot, otherTicks] = than.startedAt.split('/');
  return boot === otherBoot && Number(ticks) < Number(otherTicks);
}

/** Returns the processes of a table. */
export function createProcesses(table: ProcessTable): Processes {
  const isAlive = (identity: ProcessIdentity): boolean => {
    const row = table.find(identity.pid);
    return row !== null && !row.zombie && row.startedAt === identity.startedAt;
  };
  const identify = (pid: number): ProcessIdentity | null => {
    const row = table.find(pid);
    return row === null ? null : { pid: row.pid, startedAt: row.startedAt };
  };
  const ancestors = (pid: number): number[] => listAncestors(pid, (each) => table.find(each));
  return {
    identify,
    identifyChild: (child) => {
      try {
        return child.pid === undefined ? null : identify(child.pid);
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    },
    isAlive,
    ancestors,
    isInsideAttempt: (pid) =>
      [pid, ...ancestors(pid)].some((each) => table.hasVariable(each, RUN_MARK_VARIABLE)),
    findMarked: (mark) => {
      const living = table.list().filter(({ zombie }) => !zombie);
      return table.withEnvironment(living, markEntry(mark)).map(({ pid, startedAt }) => ({ pid, startedAt }));
    },
    commandLine: (pid) => table.commandLine(pid),
    self() {
      const self = identify(process.pid);
      if (self === null) throw new Error(`This system does not report when process ${process.pid} started.`);
      return self;
    },
    endTree: async (root, options) => {
      await endTree(new Tree(table, root, options.leadsGroup === true), options, () => isAlive(root));
    },
  };
}

function markEntry(mark: string): string {
  return `${RUN_MARK_VARIABLE}=${mark}`;
}

function listAncestors(pid: number, find: (pid: number) => ProcessRow | null | undefined): number[] {
  const found: number[] = [];
  let parent = find(pid)?.parent ?? 0;
  while (parent > 0 && found.length < DEEPEST_TREE && !found.includes(parent)) {
    found.push(parent);
    parent = find(parent)?.parent ?? 0;
  }
  return found;
}

/** A root and everything that was ever seen below it, also after the parents in between have ended. */
class Tree {
  private readonly members = new Map<number, ProcessRow>();
  /** The program itself and what started it are never ended. */
  private spared: ReadonlySet<number> = new Set();

  constructor(
    private readonly table: ProcessTable,
    private readonly root: ProcessIdentity,
    private readonly leadsGroup: boolean,
  ) {}

  get rootPid(): number {
    return this.root.pid;
  }

  /** Reads the table again, adds all with this entry in their environment, and returns the members that are alive. */
  refresh(entry?: string): ProcessRow[] {
    const rows = this.table.list();
    const all = new Map(rows.map((row) => [row.pid, row]));
    this.spared = new Set([process.pid, ...listAncestors(process.pid, (pid) => all.get(pid))]);
    const living = new Map(rows.filter((row) => !row.zombie).map((row) => [row.pid, row]));
    for (const [pid, member] of this.members) {
      if (living.get(pid)?.startedAt !== member.startedAt) this.members.delete(pid);
    }
    const root = living.get(this.root.pid);
    if (root?.startedAt === this.root.startedAt) this.add(root);
    if (this.leadsGroup) this.addGroup(rows);
    if (entry !== undefined) this.addMarked(rows, entry);
    this.addDescendants(living);
    return [...this.members.values()];
  }

  private add(row: ProcessRow): void {
    if (!row.zombie && !this.spared.has(row.pid)) this.members.set(row.pid, row);
  }

  private addMarked(rows: readonly ProcessRow[], entry: string): void {
    // Nothing of a run is older than a root that was just started from here.
    const possible = this.leadsGroup ? rows.filter((row) => !isOlder(row, this.root)) : rows;
    for (const row of this.table.withEnvironment(possible, entry)) this.add(row);
  }

  private addGroup(rows: readonly ProcessRow[]): void {
    const holder = rows.find(({ pid }) => pid === this.root.pid);
    // A number is given to another process only when nothing is left of its group.
    if (holder !== undefined && holder.startedAt !== this.root.startedAt) return;
    for (const row of rows) if (row.group === this.root.pid) this.add(row);
  }

  private addDescendants(living: ReadonlyMap<number, ProcessRow>): void {
    for (let grown = true; grown;) {
      const before = this.members.size;
      for (const row of living.values()) if (this.members.has(row.parent)) this.add(row);
      grown = this.members.size > before;
    }
  }
}

async function endTree(tree: Tree, options: EndOptions, rootIsAlive: () => boolean): Promise<void> {
  const { clock, graceMs, mark } = options;
  const refresh = (): Promise<unknown> => retryOnError(() => tree.refresh(), clock);
  const isAlive = (): Promise<boolean> => retryOnError(rootIsAlive, clock);
  if (await isAlive()) {
    await refresh();
    signal(tree.rootPid, 'SIGTERM');
    for (let waitedMs = 0; waitedMs < graceMs && (await isAlive()); waitedMs += POLL_MS) {
      await clock.sleep(POLL_MS);
      await refresh();
    }
  }
  const isLeft = (): Promise<boolean> => retryOnError(() => killAll(tree, mark), clock);
  for (let poll = 0; poll < KILL_POLLS && (await isLeft()); poll += 1) await clock.sleep(POLL_MS);
}

/**
 * Repeats a read of the processes that fails (too many open files), up to `KILL_POLLS` times. What was not seen would
 * be left running.
 */
async function retryOnError<T>(look: () => T, clock: Clock): Promise<T> {
  for (let poll = 1; ; poll += 1) {
    try {
      return look();
    } catch (error) {
      if (poll === KILL_POLLS) throw error;
    }
    await clock.sleep(POLL_MS);
  }
}

/** Sends SIGKILL to all that is left; false: nothing was. */
function killAll(tree: Tree, mark: string | undefined): boolean {
  const left = tree.refresh(mark === undefined ? undefined : markEntry(mark));
  // A living member proves that the group is still the root's: its number was not given to somebody else. No run leads
  // group 1: its signals would reach every process of the machine.
  if (tree.rootPid > 1 && left.some((row) => row.group === tree.rootPid)) signal(-tree.rootPid, 'SIGKILL');
  for (const row of left) signal(row.pid, 'SIGKILL');
  return left.length > 0;
}

function signal(target: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, name);
  } catch (error) {
    // ESRCH: it ended in between, which is what was wanted. EPERM: it changed its user, so nothing of ours can end
    // it; waiting for it is bounded.
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** This machine's processes. */
export const systemProcesses: Processes = createProcesses(
  process.platform === 'linux' ? createProcTable() : createPsTable(),
);
