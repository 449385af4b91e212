import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

type Anything = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, Anything>;

/** One change that a program is about to make to the disk. */
export interface DiskCall {
  readonly name: string;
  /** Whether it can be done by half. */
  readonly isWrite: boolean;
}

/** Replacement of a change that does not simply take place. */
export interface Fate {
  /** Whether the first half of a write is done before `then`. */
  readonly half: boolean;
  /** Throws, or ends the process; where it returns, the change continues. */
  readonly then: () => void;
}

/** Decides about each change; null lets it continue. */
export type Meddler = (call: DiskCall) => Fate | null;

/** Every function of Node that changes a file or a folder, or makes sure that a change is on the disk. */
const OF_PROMISES = [
  ...['open', 'writeFile', 'appendFile', 'copyFile', 'truncate', 'mkdir', 'rmdir', 'rm', 'unlink'],
  ...['rename', 'link', 'symlink', 'utimes', 'chmod'],
];
const OF_HANDLES = [
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'truncate',
  'sync',
  'datasync',
  'utimes',
  'chmod',
];
const AT_ONCE = [
  ...[
    'openSync',
    'writeSync',
    'writevSync',
    'writeFileSync',
    'appendFileSync',
    'copyFileSync',
    'truncateSync',
  ],
  ...['ftruncateSync', 'fsyncSync', 'fdatasyncSync', 'mkdirSync', 'rmdirSync', 'rmSync', 'unlinkSync'],
  ...['renameSync', 'linkSync', 'symlinkSync', 'utimesSync', 'futimesSync', 'chmodSync', 'fchmodSync'],
];
/** Proper-lockfile uses some; it must not have been loaded before these are replaced. */
const WITH_CALLBACK = [
  ...[
    'open',
    'write',
    'writev',
    'fsync',
    'fdatasync',
    'ftruncate',
    'mkdir',
    'rmdir',
    'rename',
    'link',
    'utimes',
  ],
];
const WRITES = new Set(['write', 'writeSync']);

/** Ways in which a function reports its end. */
type Style = 'promise' | 'at once' | 'callback';

let suspended = false;

/** Does something to the disk that is not the program's own, such as the user's edit. */
export function unmeddled<T>(work: () => T): T {
  suspended = true;
  try {
    return work();
  } finally {
    suspended = false;
  }
}

/** Asks `meddler` before every change that this process makes to the disk. Gives what takes that back. */
export async function meddleWithDisk(meddler: Meddler): Promise<() => void> {
  const restore: (() => void)[] = [];
  const replace = (owner: Functions, names: readonly string[], style: Style): void => {
    for (const name of names) {
      const original = owner[name];
      if (original === undefined) throw new Error(`There is no ${name}.`);
      owner[name] = meddled({ name, original, style }, meddler);
      restore.push(() => {
        owner[name] = original;
      });
    }
  };
  const { sync, promises, handles } = await modules();
  replace(promises, OF_PROMISES, 'promise');
  replace(handles, OF_HANDLES, 'promise');
  replace(sync, AT_ONCE, 'at once');
  replace(sync, WITH_CALLBACK, 'callback');
  return () => {
    for (const undo of restore) undo();
  };
}

interface Replaced {
  readonly name: string;
  readonly original: Anything;
  readonly style: Style;
}

function meddled({ name, original, style }: Replaced, meddler: Meddler): Anything {
  return function (this: unknown, ...args) {
    const proceed = (): unknown => original.apply(this, args);
    if (suspended || changesNothing(name, args)) return proceed();
    const fate = meddler({ name, isWrite: WRITES.has(name) });
    if (fate === null) return proceed();
    const half = (): unknown => {
      return fate.half && WRITES.has(name) ? original.apply(this, firstHalf(args)) : undefined;
    };
    if (style === 'promise') return meet(fate, half, proceed);
    try {
      if (style === 'at once') half();
      fate.then();
    } catch (error) {
      const callback = args.at(-1);
      if (style === 'at once' || typeof callback !== 'function') throw error;
      process.nextTick(callback, error);
      return undefined;
    }
    return proceed();
  };
}

async function meet(fate: Fate, half: () => unknown, proceed: () => unknown): Promise<unknown> {
  await half();
  fate.then();
  return proceed();
}

/** A file that is opened to be read, or what is said on a terminal. */
function changesNothing(name: string, [first, second]: readonly unknown[]): boolean {
  if (typeof first === 'number' && first <= 2) return true;
  if (!name.startsWith('open')) return false;
  if (typeof second === 'number')
    return (second & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)) === 0;
  return second === undefined || second === 'r' || typeof second === 'function';
}

/** The same call with half of the bytes: `[fd,] bytes[, start[, length[, position]]]`. */
function firstHalf(args: readonly unknown[]): unknown[] {
  const at = args.findIndex((arg) => typeof arg === 'string' || arg instanceof Uint8Array);
  const given = args[at];
  const bytes = typeof given === 'string' ? Buffer.from(given) : (given as Uint8Array);
  const [start, length, position] = args.slice(at + 1, at + 4);
  const from = typeof start === 'number' ? start : 0;
  const all = typeof length === 'number' ? length : bytes.length - from;
  const where = typeof position === 'number' ? position : null;
  return [...args.slice(0, at), bytes, from, Math.ceil(all / 2), where];
}

/** Node's own modules: what is under test looks its functions up in them at each call. */
async function modules(): Promise<{ sync: Functions; promises: Functions; handles: Functions }> {
  const handle = await open('/dev/null', 'r');
  const handles: unknown = Object.getPrototypeOf(handle);
  await handle.close();
  return {
    sync: process.getBuiltinModule('node:fs') as unknown as Functions,
    promises: process.getBuiltinModule('node:fs/promises') as unknown as Functions,
    handles: handles as Functions,
  };
}

/** Functions that take a place in the table of open files. */
const OPENING = {
  promises: ['open', 'readFile', 'readdir', 'opendir'],
  sync: ['openSync', 'readFileSync', 'readdirSync', 'opendirSync'],
} as const;

/** Lets everything that opens a file or a folder fail with EMFILE while `isFull`. Gives what takes that back. */
export async function limitOpenFiles(isFull: () => boolean): Promise<() => void> {
  const restore: (() => void)[] = [];
  const { sync, promises } = await modules();
  const refuse = (owner: Functions, names: readonly string[]): void => {
    for (const name of names) {
      const original = owner[name];
      if (original === undefined) throw new Error(`There is no ${name}.`);
      owner[name] = function (this: unknown, ...args) {
        if (!isFull()) return original.apply(this, args);
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      };
      restore.push(() => {
        owner[name] = original;
      });
    }
  };
  refuse(promises, OPENING.promises);
  refuse(sync, OPENING.sync);
  return () => {
    for (const undo of restore) undo();
  };
}
