import { GitFailure } from '../git';
import { ID_BYTES, type ObjectFormat } from '../bareRepository';

/** Modes of entries, without the bits of the permission. */
const KIND = 0o170000;
const SUBMODULE_KIND = 0o160000;
const FOLDER_KIND = 0o040000;

/** An index, with the format of the names of its objects. */
export interface IndexBytes {
  readonly bytes: Buffer;
  readonly format: ObjectFormat;
}

/** An index without entries. */
export const NO_ENTRIES = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');

const COUNT_AT = 8;
const HEADER_BYTES = 12;
/** Offsets in an entry. Before the mode there are times and the file's place, after it owner and group. */
const MODE_AT = 24;
const SIZE_AT = 36;
const ID_AT = 40;

/**
 * Flags of an entry: its length, unless that is larger, whether more flags follow, the stage of a conflict, and whether git
 * takes the file for unchanged.
 */
const LENGTH = 0xfff;
const HAS_MORE_FLAGS = 0x4000;
const STAGE = 0x3000;
const ASSUMED = 0x8000;
/** Further flag of a file outside a sparse checkout. */
const SKIPPED = 0x4000;

/** Returns the number of entries that an index says to have. */
export function countEntries(bytes: Buffer): number {
  return bytes.readUInt32BE(COUNT_AT);
}

/** Room for a name in an index whose names share their beginnings, in bytes. Few systems have longer paths. */
const SHARED_BYTES = 4096;

/**
 * Walks over the entries of a git index, which are sorted by name. Nothing is copied before it is asked for: git needs
 * longer to print an index than to look at all its files. Everything else about the index is asked of git.
 *
 * It does not know split indexes.
 */
export class IndexCursor {
  private readonly version: number;
  private readonly idBytes: number;
  private shared = Buffer.alloc(SHARED_BYTES);
  private left: number;
  private next = HEADER_BYTES;
  private at = 0;
  private names: Buffer;
  private nameAt = 0;
  private nameEnd = 0;

  /** @throws GitFailure where this is no index, or one of an unknown version */
  constructor(
    private readonly bytes: Buffer,
    format: ObjectFormat,
  ) {
    this.version = bytes.readUInt32BE(4);
    if (bytes.toString('latin1', 0, 4) !== 'DIRC' || this.version < 2 || this.version > 4)
      throw new GitFailure('The index has an unknown version.');
    this.left = countEntries(bytes);
    this.idBytes = ID_BYTES[format];
    this.names = this.version === 4 ? this.shared : bytes;
  }

  /** Moves to the next entry; false: there is none. @throws RangeError and GitFailure where the index is cut off */
  move(): boolean {
    if (this.left === 0) return false;
    this.left--;
    this.at = this.next;
    const flagsAt = this.at + ID_AT + this.idBytes;
    const flags = this.flags;
    const start = flagsAt + 2 + ((flags & HAS_MORE_FLAGS) === 0 ? 0 : 2);
    if (this.version === 4) {
      this.readShared(start);
    } else {
      const length = flags & LENGTH;
      this.nameAt = start;
      this.nameEnd = length < LENGTH ? start + length : this.findEnd(start);
      // Entries end with one to eight zeros.
      this.next = this.at + ((this.nameEnd - this.at + 8) & ~7);
    }
    return true;
  }

  /** Whether the entry is a file or a link without a conflict: no submodule, and no folder that is not checked out. */
  get isFile(): boolean {
    const kind = this.kind;
    return kind !== SUBMODULE_KIND && kind !== FOLDER_KIND && (this.flags & STAGE) === 0;
  }

  /** Whether the entry is a file that git does not check out. */
  get isSkipped(): boolean {
    const at = this.at + ID_AT + this.idBytes + 2;
    return (
      (this.flags & HAS_MORE_FLAGS) !== 0 && (this.bytes.readUInt16BE(at) & SKIPPED) !== 0 && this.isFile
    );
  }

  /** Whether git takes the file or submodule for unchanged without a look at it. */
  get isAssumed(): boolean {
    return (this.flags & ASSUMED) !== 0 && (this.flags & STAGE) === 0;
  }

  get isSubmodule(): boolean {
    return this.kind === SUBMODULE_KIND;
  }

  /** Size of the file when git last looked at it, in bytes. */
  get size(): number {
    return this.bytes.readUInt32BE(this.at + SIZE_AT);
  }

  /** Position of the name of the object in the bytes. */
  get idAt(): number {
    return this.at + ID_AT;
  }

  /** Path from the top of the repository, one character for each byte. */
  get name(): string {
    return this.names.toString('latin1', this.nameAt, this.nameEnd);
  }

  /** Whether an entry, also of another index, has the same object and size. */
  isLike(other: IndexCursor): boolean {
    if (this.size !== other.size) return false;
    const [start, otherStart] = [this.idAt, other.idAt];
    for (let byte = 0; byte < this.idBytes; byte += 4)
      if (this.bytes.readInt32LE(start + byte) !== other.bytes.readInt32LE(otherStart + byte)) return false;
    return true;
  }

  /** Whether the name starts with these bytes. */
  startsWith(start: Buffer): boolean {
    // A comparison takes longer than all the rest.
    if (start.length === 0) return true;
    const end = this.nameAt + start.length;
    return end <= this.nameEnd && this.names.compare(start, 0, start.length, this.nameAt, end) === 0;
  }

  endsWith(end: Buffer): boolean {
    const start = this.nameEnd - end.length;
    // As above.
    if (start < this.nameAt || this.names[start] !== end[0]) return false;
    return this.names.compare(end, 0, end.length, start, this.nameEnd) === 0;
  }

  private get kind(): number {
    return this.bytes.readUInt32BE(this.at + MODE_AT) & KIND;
  }

  private get flags(): number {
    return this.bytes.readUInt16BE(this.at + ID_AT + this.idBytes);
  }

  private makeRoom(length: number): void {
    if (length <= this.shared.length) return;
    this.shared = Buffer.concat([this.shared], 2 * length);
    this.names = this.shared;
  }

  private findEnd(start: number): number {
    const end = this.bytes.indexOf(0, start);
    if (end < 0) throw new GitFailure('The index is cut off.');
    return end;
  }

  /** Reads how many bytes of the last name do not count, and what comes in their place. */
  private readShared(start: number): void {
    let at = start;
    let byte = this.bytes.readUInt8(at++);
    let cut = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = this.bytes.readUInt8(at++);
      cut = (cut + 1) * 128 + (byte & 0x7f);
    }
    const end = this.findEnd(at);
    const kept = this.nameEnd - cut;
    if (kept < 0) throw new GitFailure('The index is cut off.');
    this.makeRoom(kept + end - at);
    this.bytes.copy(this.shared, kept, at, end);
    this.nameEnd = kept + end - at;
    this.next = end + 1;
  }
}
