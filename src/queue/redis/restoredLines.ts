import type { Definition, TaskId } from '../../domain/task/task';
import { findPlace, neighborsOf, refuseChanged, type RemovedRow } from '../row/removedRow';
import type { Draft } from './rowChanges';
import { changeSheet, idOf, type RowTexts, type Sheet } from './sheet';

/** Returns the rows of these tasks as they are written, in the order of the sheet. */
export function describeLines(sheet: Sheet, ids: readonly TaskId[]): readonly RemovedRow[] {
  const all = idsIn(sheet);
  const head = JSON.stringify(sheet.columns);
  return sheet.rows.flatMap(([, texts], index) => {
    const id = all[index] ?? null;
    if (id === null || !ids.includes(id)) return [];
    return [{ id, head, line: JSON.stringify(texts), ...neighborsOf(all, index, ids) }];
  });
}

/**
 * Adds these removed rows to a draft where they were. Returns the tasks that they define if they are valid.
 * @throws Problem `conflict` if an id is on another row, or the columns have changed
 */
export function restoreLines(draft: Draft, rows: readonly RemovedRow[]): readonly Definition[] {
  let { sheet } = draft;
  const restored: TaskId[] = [];
  return rows.flatMap((row) => {
    const ids = idsIn(sheet);
    refuseChanged(row, JSON.stringify(sheet.columns), ids);
    const before = sheet.rows[findPlace(ids, row, restored)]?.[0] ?? null;
    const key = draft.freeKey;
    const texts = JSON.parse(row.line) as RowTexts;
    const changes = [{ kind: 'put', key, texts } as const, { kind: 'move', key, before } as const];
    sheet = changeSheet(sheet, changes);
    draft.changes.push(...changes);
    draft.freeKey += 1;
    restored.push(row.id);
    const reading = draft.reader.understand(sheet, texts);
    return 'row' in reading ? [reading.row.definition] : [];
  });
}

function idsIn(sheet: Sheet): (TaskId | null)[] {
  return sheet.rows.map(([, texts]) => idOf(sheet, texts));
}
