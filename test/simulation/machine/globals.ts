import * as crypto from 'node:crypto';
import * as net from 'node:net';
import * as os from 'node:os';
import type { FileModules } from './fileModules';
import type { Handle } from './kernel';
import { UID } from './inode';
import { Killed } from './process';
import type { Seat } from './seat';

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

/** Returns the global names for the process of a seat. */
export function createGlobals(seat: Seat): Globals {
  /** Calls back after this time, in the process that is there now. */
  const after = (ms: number, run: () => void): Handle => {
    const { process } = seat;
    return process.kernel.after(process, ms, () => {
      if (process.isDead) return;
      try {
        run();
      } catch (error) {
        // It died in this very call.
        if (!(error instanceof Killed)) throw error;
      }
    });
  };
  const setTimeout = (run: Callback, ms = 0, ...words: unknown[]): SimTimer =>
    new SimTimer(after(Math.max(1, ms), () => run(...words)));
  const setInterval = (run: Callback, ms: number): SimTimer => {
    let handle: Handle = { cancel: () => undefined };
    const again = (): void => {
      handle = after(Math.max(1, ms), () => {
        again();
        run();
      });
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
    setImmediate: (run: Callback, ...words: unknown[]) => new SimTimer(after(0.001, () => run(...words))),
    Date: createDate(() => {
      seat.process.count();
      return Math.floor(seat.process.kernel.wall());
    }),
    Math: Object.create(Math, { random: { value: () => seat.process.random.next() } }) as Math,
    performance: {
      now: () => {
        seat.process.count();
        return seat.process.kernel.now;
      },
    },
    process: createProcessGlobal(seat),
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

function createProcessGlobal(seat: Seat): object {
  const { versions, version, execPath } = process;
  const own = {
    ...{ versions, version, execPath, platform: 'linux', arch: 'x64' },
    ...{ env: { HOME: '/home/me' }, argv: [], cwd: () => '/place', getuid: () => UID, umask: () => 0o022 },
    ...{ on: () => undefined, once: () => undefined, off: () => undefined, emitWarning: () => undefined },
    ...{
      nextTick: (run: Callback, ...words: unknown[]) => queueMicrotask(() => run(...words)),
      kill: () => true,
    },
  };
  return Object.defineProperty(own, 'pid', { enumerable: true, get: () => seat.process.identity.pid });
}

/** Returns the modules of Node that the process of a seat may not have as they are. */
export function createModules(seat: Seat, { fs, promises }: FileModules): ReadonlyMap<string, unknown> {
  const pause = (ms: number, value?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      const { process } = seat;
      process.kernel.after(process, Math.max(1, ms), () => {
        resolve(value);
      });
    });
  const yieldNow = (value?: unknown): Promise<unknown> => {
    const { process } = seat;
    return process.kernel.io(process, () => value);
  };
  const refuse = (): never => {
    throw new Error('A simulated process starts no real program.');
  };
  return new Map<string, unknown>([
    ['fs', fs],
    ['fs/promises', promises],
    ['timers/promises', { setTimeout: pause, setImmediate: yieldNow }],
    ['crypto', createCrypto(() => uuid((length) => seat.process.random.hex(length)))],
    ['child_process', { spawn: refuse, execFile: refuse, execFileSync: refuse, spawnSync: refuse }],
    [
      'os',
      { ...os, hostname: () => 'simulated', userInfo: () => ({ homedir: '/home/me' }), tmpdir: () => '/tmp' },
    ],
    ['net', { ...net, connect: refuse }],
    ['process', createProcessGlobal(seat)],
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
