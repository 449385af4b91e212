import type { Definition, TaskId } from '../../domain/task/task';
import { findNeighbors, RestoredOrder, type RemovedRow } from '../row/removedRow';
import type { Draft } from './rowChanges';
import { idOf, type RowTexts, type Sheet } from './sheet';

/** Returns the rows of these tasks as they are written, in the order of the sheet. */
export function describeLines(sheet: Sheet, ids: readonly TaskId[]): readonly RemovedRow[] {
  const all = idsIn(sheet);
  const head = JSON.stringify(sheet.columns);
  const removed = new Set(ids);
  const neighbors = findNeighbors(all, removed);
  return sheet.rows.flatMap(([, texts], index) => {
    const id = all[index] ?? null;
    if (id === null || !removed.has(id)) return [];
    const { above = null, below = null } = neighbors[index] ?? {};
    return [{ id, head, line: JSON.stringify(texts), above, below }];
  });
}

/**
 * Adds these removed rows to a draft where they were. Returns the tasks that they define if they are valid.
 * @throws Problem `conflict` if an id is on another row, or the columns have changed
 */
export function restoreLines(draft: Draft, rows: readonly RemovedRow[]): readonly Definition[] {
  const { sheet } = draft;
  const order = new RestoredOrder(idsIn(sheet), JSON.stringify(sheet.columns));
  const keys = sheet.rows.map(([key]) => key);
  return rows.flatMap((row) => {
    const place = order.put(row);
    const key = draft.freeKey;
    const texts = JSON.parse(row.line) as RowTexts;
    draft.changes.push({ kind: 'put', key, texts }, { kind: 'move', key, before: keys[place] ?? null });
    draft.freeKey += 1;
    keys.splice(place, 0, key);
    const reading = draft.reader.understand(sheet, texts);
    return 'row' in reading ? [reading.row.definition] : [];
  });
}

function idsIn(sheet: Sheet): (TaskId | null)[] {
  return sheet.rows.map(([, texts]) => idOf(sheet, texts));
}
