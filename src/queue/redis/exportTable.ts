import type { SharedCells, TaskId } from '../../domain/task/task';
import { currentTask, type QueueState } from '../model/state/queueState';
import { SHARED_COLUMNS } from '../row/columns';
import { readSharedTexts } from '../row/readTexts';
import type { RowContext } from '../row/rowContext';
import { formatShared, showShared } from '../row/sharedCells';
import type { RowTable } from '../rowTable';
import { changeSheet, idOf, textOf, type RowTexts, type Sheet } from './sheet';

/**
 * Returns a sheet's rows as they are, with the tasks' values in the shared columns. A missing one of these is added if a
 * task would be another one without it.
 */
export function exportTable(sheet: Sheet, state: QueueState, context: RowContext): RowTable {
  const tasks = findTasks(sheet, state);
  const missing = SHARED_COLUMNS.filter(
    (column, index) =>
      !sheet.columns.includes(column) &&
      [...tasks.values()].some((task) => needsColumn[index]?.(task) === true),
  );
  const wide = changeSheet(sheet, [{ kind: 'columns', columns: [...sheet.columns, ...missing] }]);
  const rows = wide.rows.map(([key, texts]) => {
    const task = tasks.get(key);
    return task === undefined ? texts : showTask(wide, texts, task, context);
  });
  return { columns: wide.columns, rows };
}

/** Whether a task would be another one without a shared column, in their order. */
const needsColumn: readonly ((task: SharedCells) => boolean)[] = [
  ({ status }) => status !== 'pending' && status !== 'running',
  ({ scheduledAt }) => scheduledAt !== null,
  ({ retryCount }) => retryCount > 0,
];

/** Returns what rows show of their tasks, by key. A row with too few or too many texts, or without its own id, has none. */
function findTasks(sheet: Sheet, state: QueueState): ReadonlyMap<number, SharedCells> {
  const keys = new Map<TaskId, number[]>();
  for (const [key, texts] of sheet.rows) {
    const id = texts.length === sheet.columns.length ? idOf(sheet, texts) : null;
    if (id !== null) keys.set(id, [...(keys.get(id) ?? []), key]);
  }
  const tasks = new Map<number, SharedCells>();
  for (const [id, [key, ...others]] of keys) {
    const task = currentTask(state, id);
    if (key !== undefined && others.length === 0 && task !== undefined)
      tasks.set(key, showShared(task, state.claims.has(id)));
  }
  return tasks;
}

function showTask(sheet: Sheet, texts: RowTexts, task: SharedCells, context: RowContext): RowTexts {
  const shared = readSharedTexts((column) => textOf(sheet, texts, column), context);
  if (shared === null) return texts;
  const places = SHARED_COLUMNS.map((column) => sheet.columns.indexOf(column));
  const [status = null, scheduledTime = null, retryCount = null] = places.map(
    (place) => texts[place] ?? null,
  );
  const before = { texts: [status, scheduledTime, retryCount], shared } as const;
  const shown = formatShared(task, before, context.timeZone);
  const changed = [...texts];
  places.forEach((place, index) => {
    if (place >= 0) changed[place] = shown[index] ?? '';
  });
  return changed;
}
