import { parse } from 'csv-parse/sync';
import type { RecordSpan } from './records';

/** The cells' texts of one record. */
export type Cells = readonly string[];

/** An earlier reading of the file. */
export interface EarlierRecords {
  readonly bytes: Buffer;
  readonly dialect: { readonly delimiter: string };
  readonly records: readonly (RecordSpan & { readonly cells: Cells })[];
}

/**
 * The cells of each record. What `previous` holds with the same bytes is taken from there, the very same arrays; what
 * was changed is parsed, and what lies between two places where records came or went. All quotes of the records must be closed.
 */
export function readCells(
  bytes: Buffer,
  records: readonly RecordSpan[],
  delimiter: string,
  previous?: EarlierRecords,
): readonly Cells[] {
  const known = previous?.dialect.delimiter === delimiter ? knownCells(bytes, records, previous) : [];
  const cells: Cells[] = [];
  while (cells.length < records.length) {
    const first = cells.length;
    const reused = known[first];
    if (reused !== undefined) {
      cells.push(reused);
      continue;
    }
    let last = first;
    while (known[last + 1] === undefined && records[last + 1]?.start === records[last]?.next) last++;
    cells.push(...parseRun(bytes, records.slice(first, last + 1), delimiter));
  }
  return cells;
}

/** Looks for each record where it was, counted from the start and from the end: one place may have grown or shrunk. */
function knownCells(
  bytes: Buffer,
  records: readonly RecordSpan[],
  previous: EarlierRecords,
): (Cells | undefined)[] {
  const moved = previous.records.length - records.length;
  const sameAt = ({ start, end }: RecordSpan, index: number): Cells | undefined => {
    const old = previous.records[index];
    if (old === undefined || old.end - old.start !== end - start) return undefined;
    return bytes.compare(previous.bytes, old.start, old.end, start, end) === 0 ? old.cells : undefined;
  };
  return records.map(
    (record, index) => sameAt(record, index) ?? (moved === 0 ? undefined : sameAt(record, index + moved)),
  );
}

/** Parses records that follow each other without a gap, all at once: a call costs more than a record. */
function parseRun(bytes: Buffer, run: readonly RecordSpan[], delimiter: string): readonly Cells[] {
  const cells = parse(bytes.subarray(run[0]?.start, run.at(-1)?.end), {
    delimiter,
    // Left to itself the parser knows only the first kind of line end that it meets, and joins rows.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
  });
  if (cells.length !== run.length) {
    throw new Error(
      `${run.length} records were parsed as ${cells.length}, from byte ${run[0]?.start ?? 0} on`,
    );
  }
  return cells;
}
