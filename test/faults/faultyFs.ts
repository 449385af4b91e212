import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

type Anything = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, Anything>;

/** One change that a program is about to make to the disk. */
export interface DiskCall {
  readonly name: string;
  /** For a write: does only the first half of it. */
  readonly writeHalf?: () => Promise<void>;
}

/** Decides about a call: it throws, ends the process, or lets the call go on. */
export type Meddler = (call: DiskCall) => void | Promise<void>;

const OF_PROMISES = ['open', 'writeFile', 'mkdir', 'rename', 'rm', 'link'] as const;
const OF_HANDLES = ['write', 'sync', 'datasync'] as const;
const AT_ONCE = ['linkSync', 'renameSync'] as const;
/** What proper-lockfile uses; it must not have been loaded before these are replaced. */
const OF_LOCKS = ['mkdir', 'rmdir', 'utimes'] as const;

/** Asks `meddler` before every change that this process makes to the disk. Gives what takes that back. */
export async function meddleWithDisk(meddler: Meddler): Promise<() => void> {
  const restore: (() => void)[] = [];
  const replace = (owner: Functions, name: string, make: (original: Anything) => Anything): void => {
    const original = owner[name];
    if (original === undefined) throw new Error(`There is no ${name}.`);
    owner[name] = make(original);
    restore.push(() => {
      owner[name] = original;
    });
  };
  const next = (name: string, writeHalf?: () => Promise<void>): void | Promise<void> => {
    return meddler({ name, ...(writeHalf === undefined ? {} : { writeHalf }) });
  };
  const { sync, promises, handles } = await modules();
  for (const name of OF_PROMISES) replace(promises, name, (original) => beforeIt(name, original, next));
  for (const name of OF_HANDLES) replace(handles, name, (original) => beforeIt(name, original, next));
  for (const name of AT_ONCE) {
    replace(sync, name, (original) => (...args) => {
      void next(name);
      return original(...args);
    });
  }
  for (const name of OF_LOCKS) replace(sync, name, (original) => beforeLock(name, original, next));
  return () => {
    for (const undo of restore) undo();
  };
}

type Next = (name: string, writeHalf?: () => Promise<void>) => void | Promise<void>;

function beforeIt(name: string, original: Anything, next: Next): Anything {
  return async function meddled(this: unknown, ...args) {
    if (name === 'open' && args[1] === 'r') return original.apply(this, args);
    const half = async (): Promise<void> => {
      const [bytes, start, length, position] = args as [Buffer, number, number, number | null];
      await original.call(this, bytes, start, Math.ceil(length / 2), position);
    };
    await next(name, name === 'write' ? half : undefined);
    return original.apply(this, args);
  };
}

function beforeLock(name: string, original: Anything, next: Next): Anything {
  return (...args) => {
    void next(`lock ${name}`);
    return original(...args);
  };
}

/** Node's own modules: what is under test looks its functions up in them at each call. */
async function modules(): Promise<{ sync: Functions; promises: Functions; handles: Functions }> {
  const handle: FileHandle = await open('/dev/null', 'r');
  const handles: unknown = Object.getPrototypeOf(handle);
  await handle.close();
  return {
    sync: process.getBuiltinModule('node:fs') as unknown as Functions,
    promises: process.getBuiltinModule('node:fs/promises') as unknown as Functions,
    handles: handles as Functions,
  };
}
