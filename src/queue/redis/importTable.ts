import { Problem } from '../../domain/problem';
import type { TaskId } from '../../domain/task/task';
import { COLUMNS } from '../row/columns';
import { readIds } from '../row/meaning';
import { refuseTooManyRows, type RowTable } from '../rowTable';
import type { NumberedSheet } from './rowChanges';
import { idOf, type RowTexts, type Sheet, type SheetChange } from './sheet';
import { t } from '../../platform/text/translate';

/** Rows to add to a sheet. */
export interface TableImport {
  readonly changes: readonly SheetChange[];
  /** Ids in the rows, in their order; of a row without a readable id there is none. */
  readonly ids: readonly TaskId[];
}

/**
 * Returns the changes that add a table's rows after those of the sheet.
 * @param firstId first of the new ids; null: the rows keep theirs
 * @throws Problem `conflict` if ids are taken; `usage` if there would be too many rows
 */
export function importTable(sheet: NumberedSheet, table: RowTable, firstId: TaskId | null): TableImport {
  refuseTooManyRows(sheet.rows.length, table.rows.length);
  const named = { ...table, columns: table.columns.map(nameColumn) };
  const given = firstId === null ? named : renumber(named, firstId);
  const ids = idsOf(given, given.rows);
  if (firstId === null)
    refuseTaken(
      ids,
      idsOf(
        sheet,
        sheet.rows.map(([, texts]) => texts),
      ),
    );
  const { columns, sources } = mergeColumns(sheet, given.columns);
  const puts = given.rows.map((texts, index): SheetChange => {
    const key = sheet.freeKey + index;
    return { kind: 'put', key, texts: placeTexts(texts, given.columns.length, sources) };
  });
  return { changes: [{ kind: 'columns', columns }, ...puts], ids };
}

function idsOf(sheet: Pick<Sheet, 'columns'>, rows: Iterable<RowTexts>): TaskId[] {
  return [...rows].flatMap((texts) => idOf(sheet, texts) ?? []);
}

/** Returns a known column by its own name, and another as it is. */
function nameColumn(name: string): string {
  const plain = plainName(name);
  return COLUMNS.some((column) => column === plain) ? plain : name;
}

function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Returns the sheet's columns and the missing ones of these, and for each the index among these; -1: none. A sheet
 * without rows takes these columns as they are. Columns may have the same name: the first stands for the first.
 */
function mergeColumns(
  { columns, rows }: Sheet,
  names: readonly string[],
): { readonly columns: readonly string[]; readonly sources: readonly number[] } {
  if (rows.length === 0) return { columns: names, sources: names.map((_, index) => index) };
  const left = new Set(names.keys());
  const takeSource = (column: string): number => {
    const source = [...left].find((index) => plainName(names[index] ?? '') === plainName(column)) ?? -1;
    left.delete(source);
    return source;
  };
  const sources = columns.map(takeSource);
  const more = [...left];
  return {
    columns: [...columns, ...more.map((index) => names[index] ?? '')],
    sources: [...sources, ...more],
  };
}

/**
 * Returns a row's texts in the order of the sheet's columns. A row with too few or too many texts has too many then, so
 * that it stays invalid, unless nothing changes.
 */
function placeTexts(texts: RowTexts, count: number, sources: readonly number[]): RowTexts {
  if (sources.length === count && sources.every((source, index) => source === index)) return texts;
  const placed = sources.map((source) => texts[source] ?? '');
  const surplus = texts.length < count ? [''] : texts.slice(count);
  return [...placed, ...surplus];
}

/**
 * Returns the table with a new id for each row. A dependency on an id of several rows is one on the first; other
 * dependencies stay.
 */
function renumber({ columns, rows }: RowTable, firstId: TaskId): RowTable {
  const fresh = new Map<TaskId, TaskId>();
  for (const [index, texts] of rows.entries()) {
    const id = idOf({ columns }, texts);
    if (id !== null && !fresh.has(id)) fresh.set(id, firstId + index);
  }
  const idColumn = columns.indexOf('id');
  const dependencyColumn = columns.indexOf('dependencies');
  const rewrite = (text: string): string => {
    const found = readIds(text);
    if ('wrong' in found || !found.value.some((id) => fresh.has(id))) return text;
    return found.value.map((id) => String(fresh.get(id) ?? id)).join('|');
  };
  const rewriteRow = (texts: RowTexts, row: number): RowTexts =>
    texts.map((text, index) =>
      index === idColumn ? String(firstId + row) : index === dependencyColumn ? rewrite(text) : text,
    );
  return { columns, rows: rows.map(rewriteRow) };
}

/** @throws Problem `conflict` */
function refuseTaken(ids: readonly TaskId[], known: readonly TaskId[]): void {
  const taken = new Set(known);
  const both = [...new Set(ids)].filter((id) => taken.has(id)).sort((a, b) => a - b);
  if (both.length === 0) return;
  const message =
    both.length === 1
      ? t(
          'Id {0} is taken in the queue. Nothing was imported. Give all rows new ids with --renumber.',
          formatRanges(both),
        )
      : t(
          'Ids {0} are taken in the queue. Nothing was imported. Give all rows new ids with --renumber.',
          formatRanges(both),
        );
  throw new Problem('conflict', message);
}

/** Formats sorted ids: `1-3, 7`. */
function formatRanges(ids: readonly TaskId[]): string {
  const ranges: { readonly from: TaskId; to: TaskId }[] = [];
  for (const id of ids) {
    const last = ranges.at(-1);
    if (last?.to === id - 1) last.to = id;
    else ranges.push({ from: id, to: id });
  }
  return ranges
    .map(({ from, to }) => (from === to ? String(from) : `${String(from)}-${String(to)}`))
    .join(', ');
}
