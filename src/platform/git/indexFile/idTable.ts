import { createHash } from 'node:crypto';

const LEAST_SLOTS = 1024;
const FREE = -1;
const NUMBER_BYTES = 4;
const HASH_BYTES = 20;
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

  /** Returns the table that `toBytes` wrote; null: these bytes are not a whole one. */
  static parse(bytes: Buffer, idBytes: number): IdTable | null {
    const content = bytes.subarray(0, Math.max(0, bytes.length - HASH_BYTES));
    const slots = content.length / (idBytes + NUMBER_BYTES);
    if (slots < LEAST_SLOTS || !hash(content).equals(bytes.subarray(content.length))) return null;
    const table = new IdTable(idBytes);
    table.ids = content.subarray(0, slots * idBytes);
    // A copy, which starts where numbers may start.
    table.numbers = new Int32Array(Uint8Array.from(content.subarray(slots * idBytes)).buffer);
    table.size = table.numbers.reduce((count, number) => (number === FREE ? count : count + 1), 0);
    return table;
  }

  /** Returns all of the table, for this kind of processor, with a hash at the end. */
  toBytes(): Buffer {
    const { buffer, byteOffset, byteLength } = this.numbers;
    const content = Buffer.concat([this.ids, Buffer.from(buffer, byteOffset, byteLength)]);
    return Buffer.concat([content, hash(content)]);
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

/** A hash that tells a file that was cut off or damaged; nobody else writes it. */
function hash(content: Buffer): Buffer {
  return createHash('sha1').update(content).digest();
}
