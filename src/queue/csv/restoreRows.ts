import type { Definition, TaskId } from '../../domain/task/task';
import { findPlace, neighborsOf, refuseChanged, type RemovedRow } from '../row/removedRow';
import type { RowContext } from '../row/rowContext';
import { readCsv, type CsvFile } from './csvFile';
import { idOf, readRow } from './row';

/** Returns the rows of these tasks as they are written, in the order of the file. */
export function describeRows(file: CsvFile, ids: readonly TaskId[]): readonly RemovedRow[] {
  const all = idsIn(file);
  const head = headOf(file);
  return file.records.flatMap(({ start, next }, index) => {
    const id = all[index] ?? null;
    if (id === null || !ids.includes(id)) return [];
    return [{ id, head, line: file.bytes.toString('utf8', start, next), ...neighborsOf(all, index, ids) }];
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
  let after = file;
  const restored: TaskId[] = [];
  for (const row of rows) {
    const ids = idsIn(after);
    refuseChanged(row, headOf(after), ids);
    const at = after.records[findPlace(ids, row, restored)]?.start ?? after.bytes.length;
    after = readCsv(insertLine(after, at, row.line), after);
    restored.push(row.id);
  }
  return { bytes: after.bytes, definitions: definitionsOf(after, restored, context) };
}

function definitionsOf(file: CsvFile, ids: readonly TaskId[], context: RowContext): Definition[] {
  return file.records.flatMap((record) => {
    const id = idOf(file, record);
    const reading = id !== null && ids.includes(id) ? readRow(file, record, context) : null;
    return reading !== null && 'row' in reading ? [reading.row.definition] : [];
  });
}

function idsIn(file: CsvFile): (TaskId | null)[] {
  return file.records.map((record) => idOf(file, record));
}

function headOf({ bytes, header }: CsvFile): string {
  return bytes.toString('utf8', 0, header?.end ?? 0);
}

/** Returns the bytes with a line more. Where the last line has no line end, the new last line has none. */
function insertLine({ bytes, dialect: { lineEnd } }: CsvFile, at: number, line: string): Buffer {
  const isEnd = at === bytes.length;
  const isOpen = isEnd && at > 0 && !'\r\n'.includes(bytes.toString('latin1', at - 1, at));
  const text = line.replace(/[\r\n]+$/, '');
  const isWhole = text !== line || isEnd;
  const written = isOpen ? lineEnd + text : isWhole ? line : line + lineEnd;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(written), bytes.subarray(at)]);
}
