import { constants } from 'node:fs';
import type { FileCalls } from './fileCalls';

type AnyCall = (...words: never[]) => unknown;

/** `node:fs` and `node:fs/promises` for the process of a seat. */
export interface FileModules {
  readonly fs: Readonly<Record<string, unknown>>;
  readonly promises: Readonly<Record<string, unknown>>;
}

/** A handle of `node:fs/promises`. */
class SimHandle {
  constructor(
    private readonly calls: FileCalls,
    readonly fd: number,
  ) {}

  stat(options?: { readonly bigint?: boolean }): Promise<unknown> {
    return this.later(() => this.calls.fstat(this.fd, options));
  }

  chmod(mode: number): Promise<void> {
    return this.later(() => this.calls.fchmod(this.fd, mode));
  }

  read(buffer: Buffer, offset?: number, length?: number, position?: number | null): Promise<unknown> {
    return this.later(() => ({
      bytesRead: this.calls.read(this.fd, buffer, offset, length, position),
      buffer,
    }));
  }

  write(buffer: Buffer, offset?: number, length?: number, position?: number | null): Promise<unknown> {
    return this.later(() => ({
      bytesWritten: this.calls.write(this.fd, buffer, offset, length, position),
      buffer,
    }));
  }

  readFile(encoding?: BufferEncoding): Promise<Buffer | string> {
    return this.later(() => this.calls.readFile(this.fd, encoding));
  }

  sync(): Promise<void> {
    return this.later(() => this.calls.sync(this.fd));
  }

  datasync(): Promise<void> {
    return this.later(() => this.calls.sync(this.fd));
  }

  truncate(size?: number): Promise<void> {
    return this.later(() => this.calls.truncate(this.fd, size));
  }

  close(): Promise<void> {
    return this.later(() => this.calls.close(this.fd));
  }

  private later<T>(work: () => T): Promise<T> {
    const { process } = this.calls;
    return process.kernel.io(process, work);
  }
}

/** Returns the modules through which the process of a seat sees the virtual disk. */
export function createFileModules(calls: FileCalls): FileModules {
  const later =
    (work: AnyCall) =>
    (...words: never[]): Promise<unknown> => {
      const { process } = calls;
      return process.kernel.io(process, () => work(...words));
    };
  const lstat = (file: string, options?: object): unknown => calls.stat(file, options, false);
  const stat = (file: string, options?: object): unknown => calls.stat(file, options);
  const access = (file: string): void => {
    calls.stat(file);
  };
  const shared: Readonly<Record<string, AnyCall>> = {
    ...{ stat, lstat, access },
    readdir: calls.readdir.bind(calls),
    mkdir: calls.mkdir.bind(calls),
    rmdir: calls.rmdir.bind(calls),
    rm: calls.rm.bind(calls),
    unlink: calls.unlink.bind(calls),
    rename: calls.rename.bind(calls),
    link: calls.link.bind(calls),
    chmod: calls.chmod.bind(calls),
    utimes: calls.utimes.bind(calls),
    readFile: calls.readFile.bind(calls),
    writeFile: calls.writeFile.bind(calls),
    realpath: calls.realpath.bind(calls),
  };
  const entries = Object.entries(shared);
  const sync = Object.fromEntries(entries.map(([name, work]) => [`${name}Sync`, work]));
  const promises = {
    ...Object.fromEntries(entries.map(([name, work]) => [name, later(work)])),
    open: later(
      (file: string, flags?: string | number, mode?: number) =>
        new SimHandle(calls, calls.open(file, flags, mode)),
    ),
    constants,
  };
  const fs = {
    ...{ ...sync, constants, promises },
    realpathSync: Object.assign(calls.realpath.bind(calls), { native: calls.realpath.bind(calls) }),
    existsSync: calls.exists.bind(calls),
    openSync: calls.open.bind(calls),
    closeSync: calls.close.bind(calls),
    fstatSync: calls.fstat.bind(calls),
    readSync: calls.read.bind(calls),
    writeSync: calls.write.bind(calls),
    fsyncSync: calls.sync.bind(calls),
    // As on a file system that reports no changes: polling finds them.
    watch: () => ({ on: () => undefined, close: () => undefined }),
  };
  return { fs, promises };
}
