import { spawn, type ChildProcess } from 'node:child_process';
import type { ProcessIdentity } from '../../domain/task/processIdentity';
import type { EndOptions, Processes } from './processes';

/**
 * Time without a message after which a process counts as frozen, in ms. It and the longest grace are less than a lease
 * (30 s): nothing of an attempt runs any more when another worker takes its task.
 */
const SILENT_MS = 15_000;
/** Number of messages that only say that a process lives, and of looks for them, in the time after which it counts as frozen. */
export const LOOKS = 15;
/** Longest grace of a program before it is killed, in ms. */
const LONGEST_GRACE_MS = 10_000;

/** Program to end, with everything below it. */
export interface WatchedProgram extends Pick<EndOptions, 'graceMs' | 'mark'> {
  readonly root: ProcessIdentity;
}

/**
 * Message to a watchdog, one JSON value a line. The first one sets the time without a message after which the process
 * that sends them counts as frozen. Later ones add a program, remove one that has ended by its process id, or, if null,
 * only say that the process lives.
 */
export type WatchdogMessage =
  { readonly silentMs: number } | { readonly watch: WatchedProgram } | { readonly forget: number } | null;

/**
 * Process that ends the programs of this one if this one dies or freezes. On another machine nobody can end them, and
 * their tasks are started there once the leases of this process have ended.
 */
export class Watchdog {
  private readonly watched = new Map<number, WatchedProgram>();
  private child: ChildProcess | null = null;
  private timer: NodeJS.Timeout | null = null;

  /**
   * @param args arguments of Node that run the program of the watchdog
   * @param lost called with the error, if any, when the watchdog ended too early. The next program starts it again.
   * @param silentMs time without a message after which this process counts as frozen
   */
  constructor(
    private readonly args: readonly string[],
    private readonly lost: (error: Error | null) => void,
    private readonly silentMs = SILENT_MS,
  ) {}

  /** Ends this program, and what it started, if this process dies or freezes. */
  watch(program: WatchedProgram): void {
    this.watched.set(program.root.pid, program);
    if (this.child === null) this.start();
    else this.send({ watch: program });
  }

  /** Forgets a program that has ended. */
  forget({ pid }: ProcessIdentity): void {
    if (this.watched.delete(pid)) this.send({ forget: pid });
  }

  /** Ends the watchdog. It ends the programs that were not forgotten. */
  close(): void {
    const { child, timer } = this;
    this.child = null;
    if (timer !== null) clearInterval(timer);
    child?.stdin?.end();
  }

  private start(): void {
    // A session of its own: what ends this process by a signal to its group, or to its terminal, does not end it.
    const child: ChildProcess = spawn(process.execPath, this.args, {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.child = child;
    const end = (error: Error | null): void => {
      if (this.child !== child) return;
      this.close();
      this.lost(error);
    };
    child.once('error', end);
    child.once('exit', () => {
      end(null);
    });
    // Absent if too many files are open. An error is one of writing to a watchdog that is gone: its exit says so.
    child.stdin?.on('error', () => undefined);
    child.unref();
    this.timer = setInterval(() => {
      this.send(null);
    }, this.silentMs / LOOKS).unref();
    this.send({ silentMs: this.silentMs });
    for (const program of this.watched.values()) this.send({ watch: program });
  }

  private send(message: WatchdogMessage): void {
    this.child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

/** Returns processes of which a watchdog ends those that were started from here. */
export function watchProcesses(
  processes: Processes,
  watchdog: Pick<Watchdog, 'watch' | 'forget'>,
): Processes {
  return {
    ...processes,
    identifyChild: (child, how) => {
      const root = processes.identifyChild(child, how);
      if (root !== null) watchdog.watch({ root, ...how, graceMs: Math.min(how.graceMs, LONGEST_GRACE_MS) });
      return root;
    },
    endTree: async (root, options) => {
      await processes.endTree(root, options);
      watchdog.forget(root);
    },
  };
}
