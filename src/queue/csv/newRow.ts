import { groupBy } from '../../domain/lists';
import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import type { TaskDraft, TaskFields } from '../taskQueue';
import { missingColumns, neededFields, refuseMisshapen, refuseNewId, requireOne } from '../row/fieldRules';
import { appendColumns, appendRecords, readCsv, spliceCells, type CsvFile, type CsvRecord } from './csvFile';
import { findDamage } from './damagedRow';
import type { Row } from '../row/readTexts';
import { idOf, readRow } from './row';
import type { RowContext } from '../row/rowContext';
import { resolveDrafts, writeInPlace, type NewRow } from '../row/resolveDrafts';
import { usualCells } from '../row/usualCells';
import { t } from '../../platform/text/translate';

const FIX_BY_HAND = t('Fix it by hand.');

/** Texts that mean the same as a missing column. Such a cell can be left out. */
const DEFAULTS = usualCells({ priorityRules: [] });

/**
 * Returns the file's bytes with more rows, whose ids start with `firstId`, and the parsed rows.
 * @throws Problem `usage` if a row is not valid
 */
export function appendRows(
  file: CsvFile,
  drafts: readonly TaskDraft[],
  firstId: TaskId,
  context: RowContext,
): { readonly bytes: Buffer; readonly rows: readonly Row[] } {
  const news = resolveDrafts(drafts, firstId);
  const names = new Set(file.columns.keys());
  const records = news.map((row) => writeInPlace(row, () => composeRecord(row, names, context)));
  const wide = widen(file, [...names]);
  const bytes = appendRecords(wide, records);
  const after = readCsv(bytes, wide);
  const before = after.records.length - news.length;
  const rows = news.map((row, index) => writeInPlace(row, () => readWritten(after, before + index, context)));
  return { bytes, rows };
}

/**
 * Returns the cells of a new row. Adds the columns that they need to `names`.
 * @throws Problem `usage` for an unknown column
 */
function composeRecord({ id, fields }: NewRow, names: Set<string>, context: RowContext): TaskFields {
  const given = Object.entries(fields).filter(
    ([column, text]) => names.has(column) || !goesWithoutSaying(column, text, context),
  );
  const missing = missingColumns(
    given.map(([column]) => column),
    (name) => names.has(name),
  );
  for (const name of missing) names.add(name);
  return { ...Object.fromEntries(given), id: String(id) };
}

/**
 * Returns the file's bytes without these tasks' rows. No other byte changes.
 * @throws Problem `no-such-task`; `usage` if a row is damaged, or several have the same id
 */
export function removeRows(file: CsvFile, ids: readonly TaskId[]): Buffer {
  const byId = groupBy(file.records, (record) => idOf(file, record));
  const spans = [...new Set(ids)].map((id) =>
    requireIntact(file, byId.get(id) ?? [], id, t('Remove it by hand.')),
  );
  const parts: Buffer[] = [];
  let kept = 0;
  for (const { start, next } of spans.sort((a, b) => a.start - b.start)) {
    parts.push(file.bytes.subarray(kept, start));
    kept = next;
  }
  return Buffer.concat([...parts, file.bytes.subarray(kept)]);
}

/**
 * Returns the file's bytes with a task's row before that of another; null: after all others. The row's bytes move with
 * it. If the last line has no line end, the new last line has none.
 * @throws Problem `no-such-task`; `usage` if one of the rows is damaged, or several have the same id
 */
export function moveRow(file: CsvFile, id: TaskId, before: TaskId | null): Buffer {
  const { bytes, records } = file;
  const record = findIntact(file, id, t('Move it by hand.'));
  const target = before === null ? undefined : findIntact(file, before, t('Move task {0} by hand.', id));
  if (target === record || records[records.indexOf(record) + 1] === target) return bytes;
  const at = target?.start ?? records.at(-1)?.next ?? bytes.length;
  return at < record.start
    ? swapLines(bytes, at, record.start, record.next)
    : swapLines(bytes, record.start, record.next, at);
}

/** Returns the bytes with the lines from `start` to `middle` behind those from `middle` to `end`. */
function swapLines(bytes: Buffer, start: number, middle: number, end: number): Buffer {
  const isOpen = lineEndBefore(bytes, end) === 0;
  const textEnd = middle - lineEndBefore(bytes, middle);
  const upper = [bytes.subarray(start, textEnd), bytes.subarray(textEnd, middle)];
  return Buffer.concat([
    bytes.subarray(0, start),
    bytes.subarray(middle, end),
    ...(isOpen ? upper.reverse() : upper),
    bytes.subarray(end),
  ]);
}

/** Returns the length of the line end before an offset; 0 if there is none. */
function lineEndBefore(bytes: Buffer, at: number): number {
  return /\r?\n$|\r$/.exec(bytes.toString('latin1', Math.max(0, at - 2), at))?.[0].length ?? 0;
}

/**
 * Returns the texts of a task's row by column.
 * @throws Problem `no-such-task`; `usage` if the row is damaged, or several have the same id
 */
export function readCellsOf(file: CsvFile, id: TaskId): TaskFields {
  const { cells } = findIntact(file, id, FIX_BY_HAND);
  return Object.fromEntries([...file.columns].map(([name, index]) => [name, cells[index] ?? '']));
}

/** As `requireIntact`, among all rows of the file. */
function findIntact(file: CsvFile, id: TaskId, advice: string): CsvRecord {
  return requireIntact(file, recordsOf(file, id), id, advice);
}

/**
 * Returns the only one of these rows of a task.
 * @throws Problem `no-such-task`; `usage` if several rows have its id, or the row is damaged, with this advice
 */
function requireIntact(file: CsvFile, found: readonly CsvRecord[], id: TaskId, advice: string): CsvRecord {
  const record = requireOne(found, id, FIX_BY_HAND);
  const damage = findDamage(file, record);
  if (damage === null) return record;
  throw new Problem('usage', t('The row of task {0} is damaged: {1} {2}', id, damage.message, advice));
}

/** Returns the rows that have this id. */
function recordsOf(file: CsvFile, id: TaskId): readonly CsvRecord[] {
  return file.records.filter((one) => idOf(file, one) === id);
}

/**
 * Returns the file's bytes with these cells of a task's row changed, and the parsed row. No other byte changes,
 * except that missing columns are added at the end of every row.
 * @throws Problem `no-such-task`; `usage` if the row is not valid
 */
export function editRow(
  file: CsvFile,
  id: TaskId,
  cells: TaskFields,
  context: RowContext,
): { readonly bytes: Buffer; readonly row: Row } {
  refuseNewId(id, cells);
  const record = requireOne(recordsOf(file, id), id, FIX_BY_HAND);
  const index = file.records.indexOf(record);
  refuseMisshapen(id, record.cells.length === file.columnCount, FIX_BY_HAND);
  const names = neededFields(cells, (name) => file.columns.has(name));
  const wide = widen(file, names);
  const bytes = spliceCells(
    wide,
    names.map((column) => ({ record: index, column, text: cells[column] ?? '' })),
  );
  return { bytes, row: readWritten(readCsv(bytes, wide), index, context) };
}

/** Returns whether a row without the column means the same. If rules set priorities, `medium` must be written. */
function goesWithoutSaying(column: string, text: string, { priorityRules = [] }: RowContext): boolean {
  return DEFAULTS[column] === text && (column !== 'priority' || priorityRules.length === 0);
}

/** Returns the file with the missing ones of these columns added. @throws Problem `usage` for an unknown column */
function widen(file: CsvFile, names: readonly string[]): CsvFile {
  const missing = missingColumns(names, (name) => file.columns.has(name));
  return missing.length === 0 ? file : readCsv(appendColumns(file, missing));
}

function readWritten(file: CsvFile, index: number, context: RowContext): Row {
  const record = file.records[index];
  if (record === undefined) throw new RangeError('The file does not have the row that was written.');
  const reading = readRow(file, record, context);
  if ('row' in reading) return reading.row;
  throw new Problem('usage', reading.problems.map(({ message }) => message).join('\n'));
}
