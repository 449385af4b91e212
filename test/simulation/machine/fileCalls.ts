import { constants } from 'node:fs';
import * as path from 'node:path';
import { systemError, type Disk } from './disk';
import { SimEntry, SimStats, type Inode } from './inode';
import type { SimProcess } from './process';
import type { Seat } from './seat';

interface Opened {
  readonly inode: Inode;
  readonly file: string;
  readonly flags: number;
  position: number;
}

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

type Encoding = BufferEncoding | { readonly encoding?: BufferEncoding | null } | null | undefined;

const FLAGS: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  'a+': constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
};

const FIRST_FD = 10;

/** The calls of `node:fs` that the process of a seat makes, on the virtual disk. Each call is one step: nothing comes between. */
export class FileCalls {
  private readonly opened = new Map<number, Opened>();
  private lastFd = FIRST_FD;

  constructor(private readonly seat: Seat) {}

  /** Starts without open files, as a new process does. */
  reset(): void {
    this.opened.clear();
    this.lastFd = FIRST_FD;
  }

  get process(): SimProcess {
    return this.seat.process;
  }

  private get disk(): Disk {
    return this.seat.process.kernel.disk;
  }

  stat(file: string, { bigint = false, throwIfNoEntry = true }: StatOptions = {}, follow = true): unknown {
    this.process.enter();
    const inode = throwIfNoEntry ? this.disk.get(file, 'stat', follow) : this.disk.find(file, follow);
    return inode === undefined ? undefined : new SimStats(inode, bigint);
  }

  exists(file: string): boolean {
    this.process.enter();
    return this.disk.find(file) !== undefined;
  }

  realpath(file: string): string {
    this.process.enter();
    this.disk.get(file, 'realpath');
    return path.resolve(file);
  }

  readdir(folder: string, { withFileTypes = false }: { readonly withFileTypes?: boolean } = {}): unknown[] {
    this.process.enter();
    const inode = this.disk.get(folder, 'scandir');
    if (inode.kind !== 'folder') throw systemError('ENOTDIR', 'scandir', folder);
    const entries = [...inode.entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([name, entry]) => (withFileTypes ? new SimEntry(name, entry) : name));
  }

  mkdir(
    folder: string,
    options: { readonly recursive?: boolean; readonly mode?: number } | number = {},
  ): void {
    const { recursive = false, mode = 0o755 } = typeof options === 'number' ? { mode: options } : options;
    this.process.enter();
    const there = this.disk.find(folder);
    if (there !== undefined) {
      if (recursive && there.kind === 'folder') return;
      throw systemError('EEXIST', 'mkdir', folder);
    }
    if (recursive && this.disk.find(path.dirname(folder)) === undefined)
      this.mkdir(path.dirname(folder), options);
    this.change(() => {
      this.refuseFull('mkdir', folder);
      this.disk.enter(folder, this.disk.create('folder', mode), 'mkdir');
    });
  }

  rmdir(folder: string): void {
    this.change(() => {
      const inode = this.disk.get(folder, 'rmdir', false);
      if (inode.kind !== 'folder') throw systemError('ENOTDIR', 'rmdir', folder);
      if (inode.entries.size > 0) throw systemError('ENOTEMPTY', 'rmdir', folder);
      this.disk.remove(folder, 'rmdir');
    });
  }

  rm(
    file: string,
    { force = false, recursive = false }: { readonly force?: boolean; readonly recursive?: boolean } = {},
  ): void {
    this.process.enter();
    const inode = this.disk.find(file, false);
    if (inode === undefined) {
      if (force) return;
      throw systemError('ENOENT', 'rm', file);
    }
    if (inode.kind === 'folder' && !recursive) throw systemError('ERR_FS_EISDIR', 'rm', file);
    this.change(() => {
      this.disk.remove(file, 'rm');
    });
  }

  unlink(file: string): void {
    this.change(() => {
      this.disk.get(file, 'unlink', false);
      this.disk.remove(file, 'unlink');
    });
  }

  rename(from: string, to: string): void {
    this.change(() => {
      const inode = this.disk.get(from, 'rename', false);
      if (this.disk.find(to, false) === inode) return;
      this.disk.parentOf(to, 'rename');
      inode.names += 1;
      this.disk.enter(to, inode, 'rename');
      this.disk.remove(from, 'rename');
    });
  }

  link(from: string, to: string): void {
    this.change(() => {
      const inode = this.disk.get(from, 'link', false);
      if (this.disk.find(to, false) !== undefined) throw systemError('EEXIST', 'link', to);
      this.refuseFull('link', to);
      inode.names += 1;
      inode.ctimeNs = this.disk.now();
      this.disk.enter(to, inode, 'link');
    });
  }

  chmod(file: string, mode: number): void {
    this.change(() => {
      const inode = this.disk.get(file, 'chmod');
      inode.mode = mode & 0o777;
      inode.ctimeNs = this.disk.now();
    });
  }

  utimes(file: string, _atime: number | Date, mtime: number | Date): void {
    this.change(() => {
      const inode = this.disk.get(file, 'utimes');
      const ms = typeof mtime === 'number' ? mtime * 1_000 : mtime.getTime();
      inode.mtimeNs = BigInt(Math.round(ms * 1_000)) * 1_000n;
      inode.ctimeNs = this.disk.now();
    });
  }

  open(file: string, how: string | number = 'r', mode = 0o666): number {
    const flags = typeof how === 'number' ? how : (FLAGS[how] ?? 0);
    this.process.enter();
    const there = this.disk.find(file, (flags & constants.O_NOFOLLOW) === 0);
    const inode = there ?? this.make(file, flags, mode);
    if (there !== undefined) refuseOpen(there, flags, file);
    if ((flags & constants.O_TRUNC) !== 0 && inode.bytes.length > 0)
      this.change(() => this.disk.truncate(inode, 0, file));
    this.lastFd += 1;
    this.opened.set(this.lastFd, { inode, file, flags, position: 0 });
    return this.lastFd;
  }

  private make(file: string, flags: number, mode: number): Inode {
    if ((flags & constants.O_CREAT) === 0) return this.disk.get(file, 'open');
    let inode: Inode | undefined;
    this.change(() => {
      this.refuseFull('open', file);
      inode = this.disk.create('file', mode);
      this.disk.enter(file, inode, 'open');
    });
    return inode ?? this.disk.get(file, 'open');
  }

  close(fd: number): void {
    this.process.enter();
    if (!this.opened.delete(fd)) throw systemError('EBADF', 'close', String(fd));
  }

  fstat(fd: number, { bigint = false }: StatOptions = {}): SimStats {
    return new SimStats(this.of(fd).inode, bigint);
  }

  fchmod(fd: number, mode: number): void {
    const { inode } = this.of(fd);
    this.change(() => {
      inode.mode = mode & 0o777;
    });
  }

  read(
    fd: number,
    buffer: Buffer,
    offset = 0,
    length = buffer.length - offset,
    position: number | null = null,
  ): number {
    const opened = this.of(fd);
    if (opened.inode.kind === 'folder') throw systemError('EISDIR', 'read', opened.file);
    const from = position ?? opened.position;
    const count = opened.inode.bytes.copy(buffer, offset, from, from + length);
    if (position === null) opened.position += count;
    return count;
  }

  write(
    fd: number,
    buffer: Buffer,
    offset = 0,
    length = buffer.length - offset,
    position: number | null = null,
  ): number {
    const opened = this.of(fd);
    const { inode, file, flags } = opened;
    const bytes = buffer.subarray(offset, offset + length);
    const at = (flags & constants.O_APPEND) !== 0 ? inode.bytes.length : (position ?? opened.position);
    if (this.process.isLastChange) {
      // Cut off in the middle.
      this.disk.write(inode, bytes.subarray(0, this.process.random.between(0, bytes.length)), at, file);
    }
    this.change(() => {
      this.disk.write(inode, bytes, at, file);
    });
    if (position === null) opened.position = at + bytes.length;
    return bytes.length;
  }

  sync(fd: number): void {
    const { inode } = this.of(fd);
    inode.durable = inode.bytes;
  }

  truncate(fd: number, size = 0): void {
    const { inode, file } = this.of(fd);
    this.change(() => {
      this.disk.truncate(inode, size, file);
    });
  }

  readFile(file: string | number, encoding?: Encoding): Buffer | string {
    this.process.enter();
    const inode = typeof file === 'number' ? this.of(file).inode : this.disk.get(file, 'open');
    if (inode.kind === 'folder') throw systemError('EISDIR', 'read', String(file));
    const name = typeof encoding === 'string' ? encoding : encoding?.encoding;
    return name === null || name === undefined ? Buffer.from(inode.bytes) : inode.bytes.toString(name);
  }

  writeFile(
    file: string,
    data: string | Buffer,
    options: { readonly flag?: string; readonly mode?: number } = {},
  ): void {
    const { flag = 'w', mode = 0o666 } = options;
    const fd = this.open(file, flag, mode);
    try {
      this.write(fd, Buffer.from(data));
    } finally {
      if (!this.process.isDead) this.close(fd);
    }
  }

  private of(fd: number): Opened {
    this.process.enter();
    const opened = this.opened.get(fd);
    if (opened === undefined) throw systemError('EBADF', 'fd', String(fd));
    return opened;
  }

  private change(work: () => void): void {
    this.process.enterChange();
    work();
  }

  private refuseFull(syscall: string, file: string): void {
    if (this.disk.isFull) throw systemError('ENOSPC', syscall, file);
  }
}

/** @throws EEXIST, ELOOP, EISDIR */
function refuseOpen({ kind }: Inode, flags: number, file: string): void {
  if ((flags & constants.O_EXCL) !== 0) throw systemError('EEXIST', 'open', file);
  if (kind === 'link') throw systemError('ELOOP', 'open', file);
  if (kind === 'folder' && (flags & 3) !== constants.O_RDONLY) throw systemError('EISDIR', 'open', file);
}
