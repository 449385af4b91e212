import { commonEnd, commonStart } from './sameBytes';
import { cursorAt, scanRecord, type Cursor, type RecordSpan } from './records';

const CR = 0x0d;

/** An earlier reading of the file. */
export interface EarlierRecords<R extends RecordSpan> {
  /** The same record at another place. */
  readonly move: (record: R, by: number, lines: number) => R;
  readonly bytes: Buffer;
  readonly header: RecordSpan;
  readonly records: readonly R[];
}

/** What became of the records: those of the earlier reading that are the same, moved to where they are, and new ones. */
export interface Rescan<R extends RecordSpan> {
  readonly records: (R | RecordSpan)[];
  /** Indexes of the records that are not of the earlier reading. */
  readonly changed: readonly number[];
}

/**
 * Finds the records of a file that was read before, by what differs: bytes that are the same from the start of a record
 * on hold the same records. Null where the header differs, or a quote is not closed: it must be scanned from its start.
 */
export function rescan<R extends RecordSpan>(
  bytes: Buffer,
  earlier: EarlierRecords<R>,
  delimiter: string,
): Rescan<R> | null {
  const { end, next } = earlier.header;
  const same = commonStart(earlier.bytes, 0, bytes, 0);
  // Without a line end it may go on now; behind a CR an LF would be part of its line end.
  if (next === end || same < next || (same === next && earlier.bytes[next - 1] === CR)) return null;
  const walk = new Walk(bytes, earlier, delimiter.charCodeAt(0));
  return walk.toEnd() ? walk : null;
}

/** Goes through both readings of a file side by side. */
class Walk<R extends RecordSpan> implements Rescan<R> {
  readonly records: (R | RecordSpan)[] = [];
  readonly changed: number[] = [];
  /** The next earlier record; both readings stand where a record may begin. */
  private index = 0;
  private readonly before: Cursor;
  private readonly now: Cursor;
  /** From here on the earlier bytes are the last of the new ones. */
  private readonly sameFrom: number;

  constructor(
    private readonly bytes: Buffer,
    private readonly earlier: EarlierRecords<R>,
    private readonly delimiterByte: number,
  ) {
    const { next } = earlier.header;
    const line = lineBehind(earlier.bytes, earlier.header, delimiterByte);
    this.before = cursorAt(next, line);
    this.now = cursorAt(next, line);
    this.sameFrom = earlier.bytes.length - commonEnd(earlier.bytes, bytes);
  }

  /** False where a quote is not closed. */
  toEnd(): boolean {
    while (this.now.at < this.bytes.length) {
      if (this.rejoin()) return true;
      this.takeSame();
      if (this.now.at >= this.bytes.length) break;
      this.takeNew();
      if (this.now.openQuoteAt >= 0) return false;
    }
    return true;
  }

  /** Where the new reading has come to an earlier record in the end that both have, all others follow as they are. */
  private rejoin(): boolean {
    const { earlier, bytes, now } = this;
    const at = now.at - bytes.length + earlier.bytes.length;
    if (at < this.sameFrom) return false;
    const index = indexAt(earlier.records, at);
    const record = earlier.records[index];
    if (record?.start !== at) return false;
    this.takeEarlier(index, earlier.records.length, now.at - at, now.line - record.line);
    return true;
  }

  /** Takes over the earlier records that are followed by the same byte too: it tells whether a line end is a whole one. */
  private takeSame(): void {
    const { earlier, bytes, before, now } = this;
    const same = commonStart(earlier.bytes, before.at, bytes, now.at);
    const sameTo = before.at + same;
    const reachesEnd = sameTo === earlier.bytes.length && now.at + same === bytes.length;
    let end = this.index;
    for (let step = 1; step > 0;) {
      const next = earlier.records[end + step - 1]?.next ?? Infinity;
      if (next < sameTo || (reachesEnd && next <= sameTo)) {
        end += step;
        step *= 2;
      } else {
        step = Math.floor(step / 2);
      }
    }
    const last = earlier.records[end - 1];
    if (end === this.index || last === undefined) return;
    const moved = now.at - before.at;
    const movedLines = now.line - before.line;
    this.takeEarlier(this.index, end, moved, movedLines);
    before.line = lineBehind(earlier.bytes, last, this.delimiterByte);
    before.at = last.next;
    now.at = last.next + moved;
    now.line = before.line + movedLines;
    this.index = end;
  }

  private takeEarlier(from: number, to: number, moved: number, movedLines: number): void {
    const { records, move } = this.earlier;
    const isMoved = moved !== 0 || movedLines !== 0;
    for (let index = from; index < to; index++) {
      const record = records[index];
      if (record !== undefined) this.records.push(isMoved ? move(record, moved, movedLines) : record);
    }
  }

  /** Scans one record, and takes it for what became of the next earlier one. */
  private takeNew(): void {
    const { earlier, bytes, before, now } = this;
    const record = scanRecord(bytes, now, this.delimiterByte);
    if (record === null) return;
    this.changed.push(this.records.length);
    this.records.push(record);
    const old = earlier.records[this.index];
    if (old === undefined) return;
    before.line = lineBehind(earlier.bytes, old, this.delimiterByte);
    before.at = old.next;
    this.index++;
  }
}

/** The line on which a record's successor begins. */
function lineBehind(bytes: Buffer, { start, line }: RecordSpan, delimiterByte: number): number {
  const cursor = cursorAt(start, line);
  scanRecord(bytes, cursor, delimiterByte);
  return cursor.line;
}

/** The first record that begins at `at` or behind it. */
function indexAt(records: readonly RecordSpan[], at: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle]?.start ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
