import * as crypto from 'node:crypto';
import * as net from 'node:net';
import * as os from 'node:os';
import type { FileModules } from './fileModules';
import type { Handle } from './kernel';
import { UID } from './inode';
import { Killed, type SimProcess } from './process';

/** Names that a program finds in the global scope, here with the virtual machine behind them. */
export type Globals = Readonly<Record<string, unknown>>;

class SimTimer {
  constructor(private readonly handle: Handle) {}

  cancel(): void {
    this.handle.cancel();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

type Callback = (...words: unknown[]) => void;

/** Returns the global names for one process. */
export function createGlobals(process: SimProcess): Globals {
  const { kernel } = process;
  const guarded = (run: () => void): (() => void) => {
    return () => {
      if (process.isDead) return;
      try {
        run();
      } catch (error) {
        // It died in this very call.
        if (!(error instanceof Killed)) throw error;
      }
    };
  };
  const setTimeout = (run: Callback, ms = 0, ...words: unknown[]): SimTimer =>
    new SimTimer(
      kernel.after(
        process,
        Math.max(1, ms),
        guarded(() => run(...words)),
      ),
    );
  const setInterval = (run: Callback, ms: number): SimTimer => {
    let handle: Handle = { cancel: () => undefined };
    const again = (): void => {
      handle = kernel.after(
        process,
        Math.max(1, ms),
        guarded(() => {
          again();
          run();
        }),
      );
    };
    again();
    return new SimTimer({
      cancel: () => {
        handle.cancel();
      },
    });
  };
  const clear = (timer?: SimTimer | null): void => timer?.cancel();
  return {
    ...{ setTimeout, setInterval, clearTimeout: clear, clearInterval: clear, clearImmediate: clear },
    setImmediate: (run: Callback, ...words: unknown[]) =>
      new SimTimer(
        kernel.after(
          process,
          0.001,
          guarded(() => run(...words)),
        ),
      ),
    Date: createDate(() => {
      process.count();
      return Math.floor(kernel.wall());
    }),
    Math: Object.create(Math, { random: { value: () => process.random.next() } }) as Math,
    performance: {
      now: () => {
        process.count();
        return kernel.now;
      },
    },
    process: createProcessGlobal(process),
    crypto: undefined,
  };
}

function createDate(now: () => number): typeof Date {
  return class extends Date {
    constructor(...words: [] | [number | string | Date] | [number, number]) {
      if (words.length === 0) super(now());
      else super(...(words as [number]));
    }

    static override now(): number {
      return now();
    }
  } as typeof Date;
}

function createProcessGlobal({ identity }: SimProcess): object {
  const { versions, version, execPath } = process;
  return {
    ...{ versions, version, execPath, pid: identity.pid, platform: 'linux', arch: 'x64' },
    ...{ env: { HOME: '/home/me' }, argv: [], cwd: () => '/place', getuid: () => UID, umask: () => 0o022 },
    ...{ on: () => undefined, once: () => undefined, off: () => undefined, emitWarning: () => undefined },
    ...{
      nextTick: (run: Callback, ...words: unknown[]) => queueMicrotask(() => run(...words)),
      kill: () => true,
    },
  };
}

/** Returns the modules of Node that a process may not have as they are. */
export function createModules(
  process: SimProcess,
  { fs, promises }: FileModules,
): ReadonlyMap<string, unknown> {
  const { kernel, random } = process;
  const pause = (ms: number, value?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      kernel.after(process, Math.max(1, ms), () => {
        resolve(value);
      });
    });
  const yieldNow = (value?: unknown): Promise<unknown> => kernel.io(process, () => value);
  const refuse = (): never => {
    throw new Error('A simulated process starts no real program.');
  };
  return new Map<string, unknown>([
    ['fs', fs],
    ['fs/promises', promises],
    ['timers/promises', { setTimeout: pause, setImmediate: yieldNow }],
    ['crypto', createCrypto(() => uuid((length) => random.hex(length)))],
    ['child_process', { spawn: refuse, execFile: refuse, execFileSync: refuse, spawnSync: refuse }],
    [
      'os',
      { ...os, hostname: () => 'simulated', userInfo: () => ({ homedir: '/home/me' }), tmpdir: () => '/tmp' },
    ],
    ['net', { ...net, connect: refuse }],
    ['process', createProcessGlobal(process)],
  ]);
}

function createCrypto(randomUUID: () => string): object {
  const digest = (_name: string, bytes: Uint8Array): Promise<ArrayBuffer> => {
    const hash = crypto.createHash('sha256').update(bytes).digest();
    return Promise.resolve(hash.buffer.slice(hash.byteOffset, hash.byteOffset + hash.length));
  };
  return { createHash: crypto.createHash, hash: crypto.hash, randomUUID, webcrypto: { subtle: { digest } } };
}

/** Returns a UUID of these random digits. */
export function uuid(hex: (length: number) => string): string {
  return [hex(8), hex(4), `4${hex(3)}`, `8${hex(3)}`, hex(12)].join('-');
}
