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

/** Most rows in the outline. */
const MOST_ROWS = 3_000;

/** Most characters of a prompt in a name. */
const MOST_SHOWN = 60;

/**
 * Returns the outline of a document: one entry over all rows that starts at the header, so that the header stays
 * visible, in it the tasks, and in these their cells. A long document has fewer entries. Null if there is no header.
 */
export function planOutline(document: QueueDocument): OutlineEntry | null {
  const { header, rows } = document;
  if (header === null) return null;
  const end = rows.at(-1)?.range.end ?? header.range.end;
  return {
    kind: 'tasks',
    name: rows.length === 1 ? t('1 task') : t('{0} tasks', rows.length),
    range: { start: header.range.start, end },
    children: rows.length > MOST_ROWS ? [] : rows.map((row) => entryOf(row, document)),
  };
}

function entryOf(row: DocumentRow, { columns, rows }: QueueDocument): OutlineEntry {
  const { range } = row;
  const children = rows.length > MOST_ROWS_WITH_CELLS ? [] : cellsOf(row, columns);
  return { kind: 'task', name: nameOf(row), range, children };
}

function nameOf(row: DocumentRow): string {
  // Only the beginning of a long text: each character costs time.
  const prompt = shorten((row.text('prompt') ?? '').slice(0, 2 * MOST_SHOWN), MOST_SHOWN);
  return `${(row.text('id') ?? '').trim()} ${prompt}`.trim() || t('Row {0}', row.index + 1);
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
