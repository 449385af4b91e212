import type { Definition, TaskId } from '../../domain/task/task';
import { findNeighbors, RestoredOrder, type RemovedRow } from '../row/removedRow';
import type { RowContext } from '../row/rowContext';
import { readCsv, type CsvFile } from './csvFile';
import { idOf, readRow } from './row';

/** Returns the rows of these tasks as they are written, in the order of the file. */
export function describeRows(file: CsvFile, ids: readonly TaskId[]): readonly RemovedRow[] {
  const all = idsIn(file);
  const head = headOf(file);
  const removed = new Set(ids);
  const neighbors = findNeighbors(all, removed);
  return file.records.flatMap(({ start, next }, index) => {
    const id = all[index] ?? null;
    if (id === null || !removed.has(id)) return [];
    const { above = null, below = null } = neighbors[index] ?? {};
    return [{ id, head, line: file.bytes.toString('utf8', start, next), above, below }];
  });
}

/**
 * Returns the file's bytes with these removed rows where they were, and the tasks that they define if they are valid.
 * If nothing else has changed since, the bytes are those before the removal, apart from blank lines.
 * @throws Problem `conflict` if an id is on another row, or the header has changed
 */
export function restoreRows(
  file: CsvFile,
  rows: readonly RemovedRow[],
  context: RowContext,
): { readonly bytes: Buffer; readonly definitions: readonly Definition[] } {
  const order = new RestoredOrder(idsIn(file), headOf(file));
  const places: (RecordPlace | RemovedLine)[] = file.records.map(({ start }) => ({ start }));
  for (const row of rows) places.splice(order.put(row), 0, { line: row.line });
  const bytes = insertLines(file, places);
  return {
    bytes,
    definitions: definitionsOf(readCsv(bytes, file), new Set(rows.map(({ id }) => id)), context),
  };
}

/** Offset of a row that is in the file. */
interface RecordPlace {
  readonly start: number;
}

/** Row to put back, as it was written. */
interface RemovedLine {
  readonly line: string;
}

function definitionsOf(file: CsvFile, ids: ReadonlySet<TaskId>, context: RowContext): Definition[] {
  return file.records.flatMap((record) => {
    const id = idOf(file, record);
    const reading = id !== null && ids.has(id) ? readRow(file, record, context) : null;
    return reading !== null && 'row' in reading ? [reading.row.definition] : [];
  });
}

function idsIn(file: CsvFile): (TaskId | null)[] {
  return file.records.map((record) => idOf(file, record));
}

function headOf({ bytes, header }: CsvFile): string {
  return bytes.toString('utf8', 0, header?.end ?? 0);
}

/** Returns the bytes with these lines more. Where the last line has no line end, the new last line has none. */
function insertLines(
  { bytes, dialect: { lineEnd, lastLineEnds } }: CsvFile,
  places: readonly (RecordPlace | RemovedLine)[],
): Buffer {
  const parts: Buffer[] = [];
  let lines: string[] = [];
  let kept = 0;
  for (const place of places) {
    if ('line' in place) {
      lines.push(place.line);
    } else if (lines.length > 0) {
      const whole = lines.map((line) => (endsLine(line) ? line : line + lineEnd));
      parts.push(bytes.subarray(kept, place.start), Buffer.from(whole.join('')));
      kept = place.start;
      lines = [];
    }
  }
  let isOpen = !lastLineEnds;
  const last = lines.map((line) => {
    const written = isOpen ? lineEnd + line.replace(/[\r\n]+$/, '') : line;
    isOpen = !endsLine(written);
    return written;
  });
  return Buffer.concat([...parts, bytes.subarray(kept), Buffer.from(last.join(''))]);
}

function endsLine(text: string): boolean {
  return /[\r\n]$/.test(text);
}
