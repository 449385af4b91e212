import type { RecordSpan } from './records';

/** Number of bytes compared in one step. */
const CHUNK = 16_384;

/** Compares the records of two versions of a file. Most of their bytes are compared once for all records. */
export class Unchanged {
  /** Number of equal bytes at the start. */
  private readonly head: number;
  /** Number of equal bytes at the end. */
  private readonly tail: number;

  constructor(
    private readonly before: Buffer,
    private readonly now: Buffer,
  ) {
    this.head = countEqual(before, now, 0, 0, 1);
    this.tail = countEqual(before, now, before.length, now.length, -1);
  }

  /** Returns whether a record has the same bytes as one of the version before. */
  isSame({ start: from, end: to }: RecordSpan, { start, end }: RecordSpan): boolean {
    if (to - from !== end - start) return false;
    if (from === start && end <= this.head) return true;
    const isMovedWithEnd = from - start === this.before.length - this.now.length;
    if (isMovedWithEnd && start >= this.now.length - this.tail) return true;
    return this.before.compare(this.now, start, end, from, to) === 0;
  }
}

/** Returns the number of equal bytes from these offsets on, forwards or backwards. */
function countEqual(a: Buffer, b: Buffer, atA: number, atB: number, step: 1 | -1): number {
  const most = Math.min(a.length, b.length);
  const partOf = (bytes: Buffer, at: number, equal: number): Buffer =>
    step === 1
      ? bytes.subarray(at + equal, at + equal + CHUNK)
      : bytes.subarray(at - equal - CHUNK, at - equal);
  let equal = 0;
  while (equal + CHUNK <= most && partOf(a, atA, equal).equals(partOf(b, atB, equal))) equal += CHUNK;
  const offset = step === 1 ? 0 : -1;
  while (equal < most && a[atA + offset + step * equal] === b[atB + offset + step * equal]) equal += 1;
  return equal;
}
