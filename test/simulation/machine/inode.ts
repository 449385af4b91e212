/** A file, a folder or a symbolic link on the virtual disk. */
export interface Inode {
  readonly ino: number;
  readonly kind: 'file' | 'folder' | 'link';
  /** Content of a file, or the target of a link. */
  bytes: Buffer;
  /** Content as it was synced last. A power cut may take the rest. */
  durable: Buffer;
  mode: number;
  /** Number of names. */
  names: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  readonly birthNs: bigint;
  readonly entries: Map<string, Inode>;
}

const TYPE_BITS = { file: 0o100000, folder: 0o040000, link: 0o120000 } as const;
const NS_PER_MS = 1_000_000n;

/** User id of everything on the virtual disk. */
export const UID = 1000;

type Number_ = number | bigint;

/** Facts about an inode as `node:fs` gives them. */
export class SimStats {
  readonly dev: Number_;
  readonly ino: Number_;
  readonly size: Number_;
  readonly mode: Number_;
  readonly nlink: Number_;
  readonly uid: Number_;
  readonly gid: Number_;
  readonly mtimeMs: Number_;
  readonly ctimeMs: Number_;
  readonly birthtimeMs: Number_;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly birthtimeNs: bigint;
  readonly mtime: Date;
  private readonly kind: Inode['kind'];

  constructor(inode: Inode, isBig: boolean) {
    const number = (value: number): Number_ => (isBig ? BigInt(value) : value);
    const time = (ns: bigint): Number_ => (isBig ? ns / NS_PER_MS : Number(ns / 1_000n) / 1_000);
    this.kind = inode.kind;
    this.dev = number(1);
    this.ino = number(inode.ino);
    this.size = number(inode.bytes.length);
    this.mode = number(TYPE_BITS[inode.kind] | inode.mode);
    this.nlink = number(inode.kind === 'folder' ? 2 : inode.names);
    this.uid = number(UID);
    this.gid = number(UID);
    this.mtimeMs = time(inode.mtimeNs);
    this.ctimeMs = time(inode.ctimeNs);
    this.birthtimeMs = time(inode.birthNs);
    this.mtimeNs = inode.mtimeNs;
    this.ctimeNs = inode.ctimeNs;
    this.birthtimeNs = inode.birthNs;
    this.mtime = new Date(Number(inode.mtimeNs / NS_PER_MS));
  }

  isFile(): boolean {
    return this.kind === 'file';
  }

  isDirectory(): boolean {
    return this.kind === 'folder';
  }

  isSymbolicLink(): boolean {
    return this.kind === 'link';
  }

  isFIFO(): boolean {
    return false;
  }

  isSocket(): boolean {
    return false;
  }

  isBlockDevice(): boolean {
    return false;
  }

  isCharacterDevice(): boolean {
    return false;
  }
}

/** Entry of a folder as `node:fs` gives it. */
export class SimEntry {
  constructor(
    readonly name: string,
    private readonly inode: Inode,
  ) {}

  isFile(): boolean {
    return this.inode.kind === 'file';
  }

  isDirectory(): boolean {
    return this.inode.kind === 'folder';
  }

  isSymbolicLink(): boolean {
    return this.inode.kind === 'link';
  }
}
