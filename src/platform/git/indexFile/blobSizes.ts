import type { Git } from '../git';
import type { IndexBytes } from './indexCursor';
import { ID_BYTES, type ObjectFormat } from '../bareRepository';

/** Most sizes to remember, unless an index has more entries: about 50 MB. */
const MOST = 500_000;

/** Largest index to remember as a whole. */
const LARGEST_INDEX_BYTES = 64 * 1024 * 1024;

/**
 * Sizes of the contents that git has, by the names of their objects. The size of a name never changes, so what is
 * remembered holds for every repository and whatever happens to it.
 */
export class BlobSizes {
  private readonly tables: Readonly<Record<ObjectFormat, IdTable>> = {
    sha1: new IdTable(ID_BYTES.sha1),
    sha256: new IdTable(ID_BYTES.sha256),
  };

  /** Last index in which all files had the sizes of their objects. */
  private last: IndexBytes | undefined;

  /** Returns the last index in which all files had the sizes of their objects; undefined: there was none of this format. */
  lastSame(format: ObjectFormat): IndexBytes | undefined {
    return this.last?.format === format ? this.last : undefined;
  }

  /** Remembers an index in which all files have the sizes of their objects. */
  noteSame(index: IndexBytes): void {
    this.last = index.bytes.length > LARGEST_INDEX_BYTES ? undefined : index;
  }

  /**
   * Returns the known sizes in repositories of this format. Forgets them first if they are many more than the entries of
   * the index that is looked at now.
   */
  of(format: ObjectFormat, entries: number): IdTable {
    const table = this.tables[format];
    if (table.size > Math.max(MOST, 2 * entries)) table.clear();
    return table;
  }

  /**
   * Asks git for the sizes of objects, and remembers those of the ones that it has. Forgets none: they are needed too.
   * @param places where their names start in `bytes`
   */
  async learn(
    { bytes, format }: IndexBytes,
    places: readonly number[],
    git: Git,
    signal: AbortSignal,
  ): Promise<void> {
    if (places.length === 0) return;
    const table = this.tables[format];
    table.reserve(places.length);
    const ask = ['cat-file', '--batch-check=%(objectsize)', '--buffer'];
    const answers = (await git(ask, signal, formatIds(bytes, places, ID_BYTES[format]))).split('\n');
    places.forEach((at, index) => {
      const size = Number(answers[index] ?? NaN);
      // Otherwise it is missing: it may come later.
      if (!Number.isNaN(size)) table.set(bytes, at, size);
    });
  }
}

const HEX_DIGITS = Buffer.from('0123456789abcdef');
const LF = 0x0a;

/** Returns the names of objects as git reads them, one a line. All at once: a text for each takes longer than git does. */
function formatIds(bytes: Buffer, places: readonly number[], idBytes: number): Buffer {
  const lines = Buffer.allocUnsafe(places.length * (2 * idBytes + 1));
  let next = 0;
  for (const start of places) {
    for (let at = start; at < start + idBytes; at++) {
      const byte = bytes[at] ?? 0;
      lines[next++] = HEX_DIGITS[byte >> 4] ?? 0;
      lines[next++] = HEX_DIGITS[byte & 0xf] ?? 0;
    }
    lines[next++] = LF;
  }
  return lines;
}

const LEAST_SLOTS = 1024;
const FREE = -1;
const MOST_NUMBER = 0x7fffffff;

/**
 * Numbers by the names of objects, which are read where they are, as a part of longer bytes. A map of texts takes ten times
 * as long.
 */
export class IdTable {
  size = 0;
  private ids: Buffer;
  /** Number of each slot; `FREE`: it has none. */
  private numbers: Int32Array;

  constructor(private readonly idBytes: number) {
    this.ids = Buffer.alloc(LEAST_SLOTS * idBytes);
    this.numbers = new Int32Array(LEAST_SLOTS).fill(FREE);
  }

  /** Returns the number of the name that starts there; undefined: there is none. */
  get(bytes: Buffer, at: number): number | undefined {
    const number = this.numbers[this.findSlot(bytes, at)] ?? FREE;
    return number === FREE ? undefined : number;
  }

  /** Sets the number of the name that starts there: from 0 to `MOST_NUMBER`; more counts as that. */
  set(bytes: Buffer, at: number, number: number): void {
    if (this.size * 2 >= this.numbers.length) this.resize(this.numbers.length * 2);
    const slot = this.findSlot(bytes, at);
    if (this.numbers[slot] === FREE) {
      const start = slot * this.idBytes;
      // Buffer.copy takes ten times as long for so few bytes.
      for (let byte = 0; byte < this.idBytes; byte += 4)
        this.ids.writeInt32LE(bytes.readInt32LE(at + byte), start + byte);
      this.size++;
    }
    this.numbers[slot] = Math.min(number, MOST_NUMBER);
  }

  /** Makes room for more names at once. */
  reserve(more: number): void {
    let slots = this.numbers.length;
    while (slots < (this.size + more) * 2) slots *= 2;
    if (slots > this.numbers.length) this.resize(slots);
  }

  clear(): void {
    this.size = 0;
    this.resize(LEAST_SLOTS);
  }

  /** Changes the number of slots: a power of two, and at least twice the size. */
  private resize(slots: number): void {
    const { ids, numbers, size } = this;
    this.ids = Buffer.alloc(slots * this.idBytes);
    this.numbers = new Int32Array(slots).fill(FREE);
    this.size = 0;
    if (size === 0) return;
    for (const [slot, number] of numbers.entries())
      if (number !== FREE) this.set(ids, slot * this.idBytes, number);
  }

  /** Returns the slot of a name, or the free one that it would get. Names are hashes: their start is chance enough. */
  private findSlot(bytes: Buffer, at: number): number {
    const last = this.numbers.length - 1;
    let slot = bytes.readUInt32LE(at) & last;
    while (this.numbers[slot] !== FREE && !this.isAt(slot, bytes, at)) slot = (slot + 1) & last;
    return slot;
  }

  private isAt(slot: number, bytes: Buffer, at: number): boolean {
    const { ids, idBytes } = this;
    const start = slot * idBytes;
    for (let byte = 0; byte < idBytes; byte += 4)
      if (ids.readInt32LE(start + byte) !== bytes.readInt32LE(at + byte)) return false;
    return true;
  }
}
