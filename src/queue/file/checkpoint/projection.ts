import { currentTask } from '../../model/state/queueState';
import { SHARED_COLUMNS } from '../../row/columns';
import { spliceCells, type CellChange, type CsvFile } from '../../csv/csvFile';
import { formatShared, showShared, type SharedTexts } from '../../row/sharedCells';
import type { FileState, RowTexts } from '../fileState';
import type { FileRow } from '../reading/rowReader';

/** New version of the file: its bytes, and the shared cells of the rows that change. */
export interface Projection {
  readonly bytes: Buffer;
  readonly cells: RowTexts;
}

/** Row whose shared cells differ from the journal, and their new texts. */
export interface Behind {
  readonly row: FileRow;
  readonly wanted: SharedTexts;
  readonly changes: readonly CellChange[];
}

/** Returns the file with these rows updated; null if there are none. */
export function project(file: CsvFile, behind: readonly Behind[]): Projection | null {
  if (behind.length === 0) return null;
  const cells = behind.map(({ row, wanted }) => [row.definition.id, wanted] as const);
  const bytes = spliceCells(
    file,
    behind.flatMap(({ changes }) => changes),
  );
  return { bytes, cells };
}

/** Returns the shared cells of a row that differ from the journal; null if none do. */
export function findBehind(row: FileRow, state: FileState, timeZone: string): Behind | null {
  const wanted = wantedTexts(row, state, timeZone);
  const changes = changedCells(row, wanted);
  return changes.length === 0 ? null : { row, wanted, changes };
}

function changedCells(row: FileRow, wanted: SharedTexts): CellChange[] {
  return SHARED_COLUMNS.flatMap((column, index) => {
    const text = wanted[index] ?? null;
    return text === null || text === row.texts[index] ? [] : [{ record: row.record, column, text }];
  });
}

function wantedTexts(row: FileRow, state: FileState, timeZone: string): SharedTexts {
  const { id } = row.definition;
  const task = currentTask(state.queue, id);
  if (task === undefined) return row.texts;
  return formatShared(showShared(task, state.queue.claims.has(id)), row, timeZone);
}
