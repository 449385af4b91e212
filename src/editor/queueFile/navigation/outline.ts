import { shorten } from '../../../app/present/text';
import type { DocumentRow } from '../document/documentRecord';
import type { QueueDocument } from '../document/queueDocument';
import type { TextRange } from '../document/textRange';
import { t } from '../../../platform/text/translate';

/** Entry of a document's outline. */
export interface OutlineEntry {
  readonly kind: 'tasks' | 'task' | 'cell';
  readonly name: string;
  readonly range: TextRange;
  readonly children: readonly OutlineEntry[];
}

/** Most rows whose cells are in the outline: the editor draws it again after each change. */
const MOST_ROWS_WITH_CELLS = 300;

/** Most rows with an entry of their own: 10,000 take 0.1 s to list after each change, and longer to draw. */
const MOST_ROWS = 3_000;

/** Rows of an entry in a longer document. */
const BLOCK = 500;

/** Most characters of a prompt in a name. */
const MOST_SHOWN = 60;

/**
 * Returns the outline of a document: one entry over all rows that starts at the header, so that the header stays
 * visible, in it the tasks, and in these their cells. A long document has no cells, a longer one blocks of tasks instead of
 * tasks. Null if there is no header.
 */
export function planOutline(document: QueueDocument): OutlineEntry | null {
  const { header, rows } = document;
  if (header === null) return null;
  const end = rows.at(-1)?.range.end ?? header.range.end;
  const range = { start: header.range.start, end };
  if (rows.length > MOST_ROWS)
    return {
      ...{ kind: 'tasks', name: t('{0} tasks, in blocks of {1}', rows.length, BLOCK), range },
      children: blocksOf(rows),
    };
  return {
    kind: 'tasks',
    name: rows.length === 1 ? t('1 task') : t('{0} tasks', rows.length),
    range,
    children: rows.map((row) => entryOf(row, document)),
  };
}

function blocksOf(rows: readonly DocumentRow[]): OutlineEntry[] {
  return rows.flatMap((first, index) => {
    if (index % BLOCK !== 0) return [];
    const last = rows[index + BLOCK - 1] ?? rows.at(-1) ?? first;
    const name = t('{0} to {1}', idOf(first) || nameOf(first), idOf(last) || nameOf(last));
    const range = { start: first.range.start, end: last.range.end };
    return [{ kind: 'tasks', name, range, children: [] }];
  });
}

function entryOf(row: DocumentRow, { columns, rows }: QueueDocument): OutlineEntry {
  const { range } = row;
  const children = rows.length > MOST_ROWS_WITH_CELLS ? [] : cellsOf(row, columns);
  return { kind: 'task', name: nameOf(row), range, children };
}

function nameOf(row: DocumentRow): string {
  // Only the beginning of a long text: each character costs time.
  const prompt = shorten((row.text('prompt') ?? '').slice(0, 2 * MOST_SHOWN), MOST_SHOWN);
  return `${idOf(row)} ${prompt}`.trim() || t('Row {0}', row.index + 1);
}

function idOf(row: DocumentRow): string {
  return (row.text('id') ?? '').trim();
}

function cellsOf({ cells }: DocumentRow, columns: readonly string[]): OutlineEntry[] {
  return cells.map(({ index, column, range }) => ({
    kind: 'cell',
    name: describeColumn(index, column, columns.length),
    range,
    children: [],
  }));
}

function describeColumn(index: number, column: string | null, total: number): string {
  if (column === null) return t('Cell {0}, without a column', index + 1);
  return t('{0} (column {1} of {2})', column || t('Without a name'), index + 1, total);
}
