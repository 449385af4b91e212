import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a process, and its whole output. */
export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  /** Output so far of both streams, in order of arrival. */
  output(): string;
  /** The first whole line, of either stream, that matches; rejects when the process ends without one. */
  waitForLine(pattern: RegExp): Promise<string>;
  /** Closes its output from this side, as a reader does that ends. */
  stopReading(): void;
  /** Sends a signal to this one process. */
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. */
  readonly stdin?: string;
}

/** Time that a process has to end after its test, before it is killed. */
const PATIENCE_MS = 30_000;

const alive = new Set<Running>();

afterEach('no process outlives its test', async () => {
  await Promise.all([...alive].map(endInTime));
});

async function endInTime(running: Running): Promise<void> {
  const done = new AbortController();
  running.kill('SIGTERM');
  const killLater = sleep(PATIENCE_MS, undefined, { signal: done.signal }).then(
    () => running.kill('SIGKILL'),
    () => undefined,
  );
  await running.ended;
  done.abort();
  await killLater;
}

/** Starts a program; it is ended, by its id, after the test that is running. */
export function start(program: string, args: readonly string[], options: StartOptions): Running {
  const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  const heard = listen(child);
  const running: Running = {
    pid: child.pid ?? 0,
    output: () => heard.both,
    waitForLine: (pattern) => waitForLine(heard, pattern),
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    kill: (signal) => child.kill(signal),
    ended: heard.ended.finally(() => alive.delete(running)),
  };
  alive.add(running);
  return running;
}

interface Heard {
  both: string;
  stdout: string;
  stderr: string;
  isOver: boolean;
  readonly news: EventEmitter;
  readonly ended: Promise<Ended>;
}

function listen(child: ChildProcess): Heard {
  const ended = new Promise<Ended>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      heard.isOver = true;
      settle();
      heard.news.emit('news');
    };
    child.once('error', (error) => finish(() => reject(error)));
    child.once('close', (code, signal) =>
      finish(() => resolve({ code, signal, stdout: heard.stdout, stderr: heard.stderr })),
    );
  });
  const heard: Heard = { both: '', stdout: '', stderr: '', isOver: false, news: new EventEmitter(), ended };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (piece: string) => {
      heard[stream] += piece;
      heard.both += piece;
      heard.news.emit('news');
    });
  }
  return heard;
}

async function waitForLine(heard: Heard, pattern: RegExp): Promise<string> {
  for (;;) {
    const lines = [heard.stdout, heard.stderr].flatMap((text) => text.split('\n').slice(0, -1));
    const found = lines.find((line) => pattern.test(line));
    if (found !== undefined) return found;
    if (heard.isOver) throw new Error(`It ended without a line like ${String(pattern)}:\n${heard.both}`);
    await once(heard.news, 'news');
  }
}
