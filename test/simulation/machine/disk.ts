import * as path from 'node:path';
import type { Inode } from './inode';
import type { Random } from './random';

/** Returns an error as the system gives it. */
export function systemError(code: string, syscall: string, file: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: simulated, ${syscall} '${file}'`), { code, syscall, path: file });
}

/** Granularity of file times, in ns: a tick of Linux. */
const TICK_NS = 4_000_000n;
/** Part of a tick that no whole millisecond has: the sign of a fine file system. */
const PART_NS = 123_457n;

/** A disk in memory. It has no processes, no errors by chance and no delays: these are added by its users. */
export class Disk {
  private lastIno = 10;
  readonly root: Inode;
  /** Whether nothing more fits on it. */
  isFull = false;
  /** Called after each change with the paths that changed. */
  changed: (file: string) => void = () => undefined;

  /** @param nowMs returns the time on the wall */
  constructor(private readonly nowMs: () => number) {
    this.root = this.create('folder', 0o755);
  }

  create(kind: Inode['kind'], mode: number): Inode {
    this.lastIno += 1;
    const now = this.now();
    const empty = Buffer.alloc(0);
    return {
      ...{ ino: this.lastIno, kind, bytes: empty, durable: empty, mode, names: 1 },
      ...{ mtimeNs: now, ctimeNs: now, birthNs: this.fineNow(), entries: new Map<string, Inode>() },
    };
  }

  /** Time of a change, as coarse as that of a real disk. */
  now(): bigint {
    return (this.fineNow() / TICK_NS) * TICK_NS + PART_NS;
  }

  private fineNow(): bigint {
    return BigInt(Math.round(this.nowMs() * 1_000)) * 1_000n;
  }

  /** Returns what has this path, or undefined. Follows links except a last one where `follow` is false. */
  find(file: string, follow = true, depth = 0): Inode | undefined {
    let at: Inode = this.root;
    const parts = file.split('/').filter((part) => part !== '');
    for (const [index, part] of parts.entries()) {
      if (at.kind !== 'folder') return undefined;
      const next = at.entries.get(part);
      if (next === undefined) return undefined;
      const isLast = index === parts.length - 1;
      if (next.kind === 'link' && (follow || !isLast)) {
        if (depth > 20) return undefined;
        const rest = parts.slice(index + 1).join('/');
        const target = path.resolve('/', ...parts.slice(0, index), next.bytes.toString());
        return this.find(path.join(target, rest), follow, depth + 1);
      }
      at = next;
    }
    return at;
  }

  /** Returns what has this path. @throws ENOENT, ENOTDIR */
  get(file: string, syscall: string, follow = true): Inode {
    const found = this.find(file, follow);
    if (found !== undefined) return found;
    throw systemError(this.isBelowFile(file) ? 'ENOTDIR' : 'ENOENT', syscall, file);
  }

  private isBelowFile(file: string): boolean {
    for (let folder = path.dirname(file); folder !== '/'; folder = path.dirname(folder)) {
      if (this.find(folder)?.kind === 'file') return true;
    }
    return false;
  }

  /** Returns the folder of a path. @throws ENOENT, ENOTDIR */
  parentOf(file: string, syscall: string): Inode {
    const parent = this.find(path.dirname(file));
    if (parent === undefined) throw systemError('ENOENT', syscall, file);
    if (parent.kind !== 'folder') throw systemError('ENOTDIR', syscall, file);
    return parent;
  }

  /** Gives an inode a name. */
  enter(file: string, inode: Inode, syscall: string): void {
    const parent = this.parentOf(file, syscall);
    const before = parent.entries.get(path.basename(file));
    if (before === inode) return;
    if (before !== undefined) before.names -= 1;
    parent.entries.set(path.basename(file), inode);
    this.touch(parent);
    this.changed(file);
  }

  /** Takes a name away. */
  remove(file: string, syscall: string): void {
    const parent = this.parentOf(file, syscall);
    const inode = parent.entries.get(path.basename(file));
    if (inode === undefined) throw systemError('ENOENT', syscall, file);
    inode.names -= 1;
    inode.ctimeNs = this.now();
    parent.entries.delete(path.basename(file));
    this.touch(parent);
    this.changed(file);
  }

  /** Replaces bytes of a file. @throws ENOSPC if they do not fit */
  write(inode: Inode, bytes: Buffer, at: number, file: string): void {
    const end = at + bytes.length;
    if (this.isFull && end > inode.bytes.length) throw systemError('ENOSPC', 'write', file);
    const size = Math.max(end, inode.bytes.length);
    const next = Buffer.alloc(size);
    inode.bytes.copy(next);
    bytes.copy(next, at);
    inode.bytes = next;
    this.touch(inode);
    this.changed(file);
  }

  truncate(inode: Inode, size: number, file: string): void {
    if (inode.bytes.length === size) return;
    const next = Buffer.alloc(size);
    inode.bytes.copy(next, 0, 0, size);
    inode.bytes = next;
    this.touch(inode);
    this.changed(file);
  }

  touch(inode: Inode): void {
    inode.mtimeNs = this.now();
    inode.ctimeNs = inode.mtimeNs;
  }

  /** Takes away, of each file, what was not synced: all, nothing or a part of it. */
  losePower(random: Random): void {
    const seen = new Set<Inode>();
    const visit = (file: string, inode: Inode): void => {
      if (seen.has(inode)) return;
      seen.add(inode);
      for (const [name, entry] of inode.entries) visit(path.join(file, name), entry);
      if (inode.kind !== 'file' || inode.bytes.equals(inode.durable)) return;
      const { bytes, durable } = inode;
      const isAppended = bytes.length > durable.length && bytes.subarray(0, durable.length).equals(durable);
      const kept = random.pick(['all', 'nothing', 'part'] as const);
      if (kept === 'nothing') inode.bytes = durable;
      if (kept === 'part' && isAppended)
        inode.bytes = bytes.subarray(0, random.between(durable.length, bytes.length));
      inode.durable = inode.bytes;
      this.changed(file);
    };
    visit('/', this.root);
  }

  /** Returns the content of a file; null: there is none. */
  read(file: string): Buffer | null {
    const inode = this.find(file);
    return inode?.kind === 'file' ? inode.bytes : null;
  }

  /** Returns the names in a folder; none if there is no such folder. */
  list(folder: string): string[] {
    return [...(this.find(folder)?.entries.keys() ?? [])].sort();
  }
}
