import { Problem } from '../../../domain/problem';
import type { TaskId } from '../../../domain/task/task';
import { t } from '../../../platform/text/translate';
import { readId, readIds } from '../../../queue/row/meaning';
import type { ImportHow, RowTable } from '../../../queue/rowTable';

/** Row of a file: the line on which it starts, or its fault is, and why its cells cannot be separated. */
export interface RowPlace {
  readonly line: number;
  readonly damage: string | null;
}

/** Rows of a file as texts, each with its place. */
export interface FileTable extends RowTable {
  readonly places: readonly RowPlace[];
}

/** Returns the indexes of the rows with each id, by the texts of their ids. */
export function indexIds(texts: readonly string[]): ReadonlyMap<TaskId, readonly number[]> {
  const indexes = new Map<TaskId, number[]>();
  for (const [index, text] of texts.entries()) {
    const id = readId(text.trim());
    if ('wrong' in id) continue;
    const known = indexes.get(id.value);
    if (known === undefined) indexes.set(id.value, [index]);
    else known.push(index);
  }
  return indexes;
}

/**
 * Refuses a row without an id of its own: in a queue that is no file, nobody could change or remove it. With new ids,
 * refuses a row that depends on an id of several rows.
 * @throws Problem `usage`
 */
export function refuseUnclearIds(name: string, table: FileTable, { renumber }: ImportHow): void {
  const ids = textsIn(table, 'id');
  const indexes = indexIds(ids);
  const dependencies = textsIn(table, 'dependencies');
  for (const [index, { line }] of table.places.entries()) {
    const place = `${name}:${String(line)}`;
    if (renumber) refuseSharedDependency(place, dependencies[index] ?? '', indexes);
    else refuseSharedId(place, ids[index] ?? '', { index, indexes, table });
  }
}

/** Returns the texts of a column, by rows; empty ones where it is absent. */
export function textsIn(table: RowTable, column: string): readonly string[] {
  const at = findColumn(table, column);
  return table.rows.map((texts) => texts[at] ?? '');
}

/** Returns the index of a column; -1: the table has none of this name. */
export function findColumn({ columns }: Pick<RowTable, 'columns'>, column: string): number {
  return columns.findIndex((name) => name.trim().toLowerCase() === column);
}

type Indexes = ReturnType<typeof indexIds>;

function refuseSharedId(
  place: string,
  text: string,
  { index, indexes, table }: { readonly index: number; readonly indexes: Indexes; readonly table: FileTable },
): void {
  const id = readId(text.trim());
  const first = 'value' in id ? indexes.get(id.value)?.[0] : undefined;
  if (first === index) return;
  const line = table.places[first ?? index]?.line ?? 0;
  const message = 'wrong' in id ? id.wrong : t('Id {0} is also on line {1}.', id.value, line);
  throw new Problem(
    'usage',
    t('{0} {1} Nothing was imported. Give all rows new ids with --renumber.', place, message),
  );
}

function refuseSharedDependency(place: string, text: string, indexes: Indexes): void {
  const named = readIds(text);
  if ('wrong' in named) return;
  const shared = named.value.find((id) => (indexes.get(id)?.length ?? 0) > 1);
  if (shared === undefined) return;
  const message = t('It depends on task {0}, but several rows of the file have this id.', shared);
  throw new Problem('usage', t('{0} {1} Nothing was imported.', place, message));
}
